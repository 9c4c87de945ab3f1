/*
 * What newer systems have as functions of their libraries and older ones as something else, or not at all. Linked into the
 * database engine alone, and seen by nothing outside of it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WITHIN __attribute__((visibility("hidden")))

/* Functions since glibc 2.33; before, a header turned them into others. On 64 bits the kernel's struct is glibc's. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one size of struct stat");

WITHIN int stat64(const char *path, struct stat64 *into) {
  return (int)syscall(SYS_newfstatat, AT_FDCWD, path, into, 0);
}

WITHIN int lstat64(const char *path, struct stat64 *into) {
  return (int)syscall(SYS_newfstatat, AT_FDCWD, path, into, AT_SYMLINK_NOFOLLOW);
}

WITHIN int fstat64(int file, struct stat64 *into) { return (int)syscall(SYS_fstat, file, into); }

WITHIN int fstat(int file, struct stat *into) { return (int)syscall(SYS_fstat, file, into); }

/* std::__throw_bad_array_new_length of libstdc++ 11; the engine is compiled without exceptions. */
WITHIN void _ZSt28__throw_bad_array_new_lengthv(void) { abort(); }
