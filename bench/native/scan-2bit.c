/*
 * The memory limit: scores from codes of 2 bits per dimension, 36 bytes per template, and their maximum. Nothing is
 * refined, so the template with the highest score need not be the nearest one: this is not a search.
 *
 * 16 templates are interleaved so that each 32-bit lane holds 16 dimensions of one of them. A byte holds four codes;
 * each is multiplied in its place in the byte, and its sum is shifted at the end. A code c of 0 to 3 stands for 2c - 3.
 * The last 4 bytes are two 16-bit numbers: the scale of the code, and the norm of what the code leaves out.
 */
#include <immintrin.h>
#include <math.h>

#include "peer.h"

#define LANES 16
#define WORDS 8
#define STEP 0.9957f
#define SCALE_UNIT (1.0f / 262144)
#define REST_UNIT (1.0f / 65536)

/* Two groups of templates are stored together in the order in which they are read, so that the processor prefetches. */
struct pair {
  uint32_t codes[WORDS][2][LANES];
  uint32_t extra[2][LANES];
};

static struct pair *pairs;
static size_t pair_count, size;

static void encode(const float *vector, struct pair *pair, int half, int lane) {
  float along = 0, square = 0, whole = 0;
  const float step = STEP / sqrtf(DIMENSIONS);
  for (int i = 0; i < DIMENSIONS; i++) {
    float x = vector[i];
    int code = (x > -step) + (x > 0) + (x > step);
    /* Dimension i is in word i / 16, plane i / 4 % 4, byte i % 4. */
    pair->codes[i / 16][half][lane] |= (uint32_t)code << (8 * (i % 4) + 2 * (i / 4 % 4));
    float level = 2 * code - 3;
    along += x * level;
    square += level * level;
    whole += x * x;
  }
  float scale = along / square;
  float rest = sqrtf(fmaxf(0, whole - scale * along));
  pair->extra[half][lane] = (uint32_t)lrintf(fminf(scale / SCALE_UNIT, 65535)) |
                       (uint32_t)lrintf(fminf(rest / REST_UNIT, 65535)) << 16;
}

static void load(const float *vectors, const uint32_t *users, size_t n) {
  (void)users;
  size = n;
  pair_count = (n + 2 * LANES - 1) / (2 * LANES);
  pairs = allocate(pair_count * sizeof(struct pair));
  memset(pairs, 0, pair_count * sizeof(struct pair));
  for (size_t i = 0; i < n; i++)
    encode(vectors + i * DIMENSIONS, &pairs[i / (2 * LANES)], i / LANES % 2, i % LANES);
}

struct probe {
  /* Four numbers of 8 bits each. */
  int32_t words[DIMENSIONS / 4];
  __m512i offset;
  __m512 unit;
};

static void prepare(const float *vector, struct probe *probe) {
  float most = 0;
  for (int i = 0; i < DIMENSIONS; i++) most = fmaxf(most, fabsf(vector[i]));
  int8_t values[DIMENSIONS];
  int sum = 0;
  for (int i = 0; i < DIMENSIONS; i++) sum += values[i] = (int8_t)lrintf(vector[i] / most * 127);
  memcpy(probe->words, values, sizeof values);
  probe->offset = _mm512_set1_epi32(3 * sum);
  probe->unit = _mm512_set1_ps(most / 127 * SCALE_UNIT);
}

/* The sums of each plane are shifted by the plane's position. */
static inline __m512 scored(const __m512i sums[4], const uint32_t *words, const struct probe *probe) {
  __m512i sum = _mm512_add_epi32(
      _mm512_add_epi32(sums[0], _mm512_srai_epi32(sums[1], 2)),
      _mm512_add_epi32(_mm512_srai_epi32(sums[2], 4), _mm512_srai_epi32(sums[3], 6)));
  sum = _mm512_sub_epi32(_mm512_slli_epi32(sum, 1), probe->offset);
  __m512i extra = _mm512_load_si512(words);
  __m512 scale = _mm512_cvtepi32_ps(_mm512_and_si512(extra, _mm512_set1_epi32(65535)));
  __m512 rest = _mm512_cvtepi32_ps(_mm512_srli_epi32(extra, 16));
  __m512 known = _mm512_mul_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale), probe->unit);
  return _mm512_fmadd_ps(rest, _mm512_set1_ps(REST_UNIT), known);
}

/* Scores of a pair with one probe, whose words are broadcast to the lanes once for both groups. */
static inline void score(const struct pair *pair, const struct probe *probe, __m512 scores[2]) {
  __m512i sums[2][4] = {{_mm512_setzero_si512()}};
#pragma GCC unroll 8
  for (int w = 0; w < WORDS; w++) {
    __m512i first = _mm512_load_si512(pair->codes[w][0]), second = _mm512_load_si512(pair->codes[w][1]);
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++) {
      const __m512i plane = _mm512_set1_epi8((char)(3 << (2 * p)));
      /* Inline assembly, because the compiler would keep all 32 broadcast words in memory. */
      __m512i word;
      __asm__("vpbroadcastd %1, %0" : "=v"(word) : "m"(probe->words[4 * w + p]));
      sums[0][p] = _mm512_dpbusd_epi32(sums[0][p], _mm512_and_si512(first, plane), word);
      sums[1][p] = _mm512_dpbusd_epi32(sums[1][p], _mm512_and_si512(second, plane), word);
    }
  }
  for (int i = 0; i < 2; i++) scores[i] = scored(sums[i], pair->extra[i], probe);
}

static inline struct found scan_with(const float *vectors, const int q) {
  struct probe probes[5];
  for (int p = 0; p < q; p++) prepare(vectors + p * DIMENSIONS, &probes[p]);
  __m512 best = _mm512_set1_ps(-INFINITY);
  __m512i where = _mm512_setzero_si512();
  for (size_t g = 0; g < pair_count; g++) {
    __m512 scores[2], more[2];
    score(&pairs[g], &probes[0], scores);
    for (int p = 1; p < q; p++) {
      score(&pairs[g], &probes[p], more);
      for (int i = 0; i < 2; i++) scores[i] = _mm512_max_ps(scores[i], more[i]);
    }
    for (int i = 0; i < 2; i++) {
      __mmask16 better = _mm512_cmp_ps_mask(scores[i], best, _CMP_GT_OQ);
      best = _mm512_mask_mov_ps(best, better, scores[i]);
      where = _mm512_mask_mov_epi32(where, better, _mm512_set1_epi32(2 * (int)g + i));
    }
  }
  float scores[LANES];
  int32_t group[LANES];
  _mm512_storeu_ps(scores, best);
  _mm512_storeu_si512(group, where);
  int lane = 0;
  for (int i = 1; i < LANES; i++)
    if (scores[i] > scores[lane]) lane = i;
  int32_t template = group[lane] * LANES + lane;
  return (struct found){template < (int32_t)size ? template : -1, 1 - scores[lane], INFINITY};
}

static struct found scan(const float *probes, int q) {
  return q == 1 ? scan_with(probes, 1) : scan_with(probes, q);
}
