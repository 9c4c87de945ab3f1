/*
 * A flat scan of float32 templates with AVX-512: the best template over all probes and the best one of another user.
 * The sums of four templates are folded together. The templates are read strictly one after the other: interleaved
 * reads would take twice as long, because the processor could not prefetch.
 */
#include <immintrin.h>
#include <math.h>

#include "peer.h"

static const float *gallery;
static const uint32_t *owners;
static size_t size;

static void load(const float *vectors, const uint32_t *users, size_t n) {
  gallery = vectors;
  owners = users;
  size = n;
}

/* Sums of the 16 lanes of each of four registers. */
static inline __m128 fold(__m512 a, __m512 b, __m512 c, __m512 d) {
  __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
  __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
  __m512d lo = _mm512_unpacklo_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd));
  __m512d hi = _mm512_unpackhi_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd));
  __m512 all = _mm512_add_ps(_mm512_castpd_ps(lo), _mm512_castpd_ps(hi));
  __m256 half = _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
  return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

/* Sums of one template in 16 lanes. The compiler must not mix its reads with those of the next template. */
static inline __m512 one(const float *at, const __m512 *probe) {
  __m512 sum = _mm512_setzero_ps();
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) sum = _mm512_fmadd_ps(_mm512_loadu_ps(at + 16 * i), probe[i], sum);
  __asm__ volatile("" ::: "memory");
  return sum;
}

/* Scores of four templates in a row with one probe. */
static inline __m128 four(const float *at, const __m512 *probe) {
  __m512 a = one(at, probe), b = one(at + 128, probe), c = one(at + 256, probe), d = one(at + 384, probe);
  return fold(a, b, c, d);
}

struct best {
  float score, other;
  uint32_t user;
  int32_t template;
};

static inline void consider(struct best *best, float score, size_t template) {
  uint32_t user = owners[template];
  if (score > best->score) {
    if (user != best->user) best->other = best->score;
    best->score = score;
    best->user = user;
    best->template = template;
  } else if (score > best->other && user != best->user) {
    best->other = score;
  }
}

static inline struct found scan_with(const float *probes, const int q) {
  __m512 probe[5 * 8];
  for (int i = 0; i < 8 * q; i++) probe[i] = _mm512_loadu_ps(probes + 16 * i);
  struct best best = {-INFINITY, -INFINITY, 0, -1};
  size_t at = 0;
  for (; at + 4 <= size; at += 4) {
    const float *row = gallery + at * DIMENSIONS;
    __m128 scores = four(row, probe);
    for (int p = 1; p < q; p++) scores = _mm_max_ps(scores, four(row, probe + 8 * p));
    if (_mm_movemask_ps(_mm_cmpgt_ps(scores, _mm_set1_ps(best.other))) == 0) continue;
    float values[4];
    _mm_storeu_ps(values, scores);
    for (int i = 0; i < 4; i++) consider(&best, values[i], at + i);
  }
  for (; at < size; at++) {
    float score = -INFINITY;
    for (int p = 0; p < q; p++) {
      __m512 sum = _mm512_setzero_ps();
      for (int i = 0; i < 8; i++)
        sum = _mm512_fmadd_ps(_mm512_loadu_ps(gallery + at * DIMENSIONS + 16 * i), probe[8 * p + i], sum);
      score = fmaxf(score, _mm512_reduce_add_ps(sum));
    }
    consider(&best, score, at);
  }
  return (struct found){best.template, 1 - best.score, 1 - best.other};
}

/* With a constant q, the compiler keeps a single probe in registers. */
static struct found scan(const float *probes, int q) {
  switch (q) {
    case 1: return scan_with(probes, 1);
    case 3: return scan_with(probes, 3);
    default: return scan_with(probes, q);
  }
}
