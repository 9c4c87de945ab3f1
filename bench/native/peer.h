/*
 * Shared by the C scans: the protocol of engines/child.ts, the clock, and emptying the caches. A scan defines load()
 * and scan().
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DIMENSIONS 128
#define EVICT_BYTES (96u << 20)

struct found {
  int32_t template;
  float distance;
  float other;
};

/* Loads the gallery; it may keep `vectors` and `users`. */
static void load(const float *vectors, const uint32_t *users, size_t n);
/* One search; `probes` are q unit vectors of 128 numbers, one after another. */
static struct found scan(const float *probes, int q);

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void *allocate(size_t bytes) {
  void *at = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (at == NULL) exit(3);
  return at;
}

static void *read_file(const char *path, size_t bytes) {
  FILE *file = fopen(path, "rb");
  void *at = allocate(bytes);
  if (file == NULL || fread(at, 1, bytes, file) != bytes) exit(4);
  fclose(file);
  return at;
}

static void evict(void) {
  static volatile uint8_t *evictor;
  if (evictor == NULL) evictor = allocate(EVICT_BYTES);
  for (size_t i = 0; i < EVICT_BYTES; i += 64) evictor[i]++;
}

static void run(char *words, const float *probes, int q) {
  int order[256], count = 0;
  strtok(words, " ");
  strtok(NULL, " ");
  int cold = atoi(strtok(NULL, " "));
  int untimed = atoi(strtok(NULL, " "));
  for (char *word; count < 256 && (word = strtok(NULL, " \n")) != NULL;) order[count++] = atoi(word);
  if (count == 0) exit(5);
  size_t row = (size_t)q * DIMENSIONS;
  for (int i = 0; i < untimed; i++) scan(probes + order[i] * row, q);
  for (int i = untimed; i < count; i++) {
    if (cold) evict();
    double start = now_ms();
    struct found found = scan(probes + order[i] * row, q);
    double ms = now_ms() - start;
    printf("%d %.9g %.9g %.6f ", found.template, found.distance, found.other, ms);
  }
  printf("\n");
}

int main(void) {
  static char line[65536], first[4096], second[4096];
  float *probes = NULL;
  int q = 0;
  size_t count;
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (sscanf(line, "gallery %4095s %4095s %zu", first, second, &count) == 3) {
      float *vectors = read_file(first, count * DIMENSIONS * sizeof(float));
      uint32_t *users = read_file(second, count * sizeof(uint32_t));
      double start = now_ms();
      load(vectors, users, count);
      printf("ok %f\n", (now_ms() - start) / 1e3);
    } else if (sscanf(line, "queries %4095s %zu %d", first, &count, &q) == 3) {
      free(probes);
      probes = read_file(first, count * q * DIMENSIONS * sizeof(float));
      printf("ok\n");
    } else if (strncmp(line, "run ", 4) == 0) {
      run(line, probes, q);
    } else {
      printf("error unknown command\n");
    }
    fflush(stdout);
  }
  return 0;
}
