/*
 * Calls that newer versions of glibc have under a newer name as well, asked for by the name that they have had all along:
 * so what is compiled on a new system runs on an old one. Put before every other line of every file that is compiled.
 */
#if defined(__x86_64__)
#define FIRST_GLIBC "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST_GLIBC "GLIBC_2.17"
#else
#error "neither x86-64 nor arm64"
#endif

#define AS_BEFORE(name) __asm__(".symver " #name "," #name "@" FIRST_GLIBC)

/* libpthread and libdl went into libc with 2.34. */
AS_BEFORE(pthread_create);
AS_BEFORE(pthread_join);
AS_BEFORE(pthread_once);
AS_BEFORE(pthread_mutexattr_init);
AS_BEFORE(pthread_mutexattr_settype);
AS_BEFORE(pthread_mutexattr_destroy);
AS_BEFORE(pthread_mutex_trylock);
AS_BEFORE(dlopen);
AS_BEFORE(dlsym);
AS_BEFORE(dlclose);
AS_BEFORE(dlerror);
/* With 2.29 they stopped to report their errors in a second way, which nobody here reads. */
AS_BEFORE(exp);
AS_BEFORE(log);
AS_BEFORE(log2);
AS_BEFORE(pow);
