#ifndef ZHIWEN_KERNELS_KERNELS_H_
#define ZHIWEN_KERNELS_KERNELS_H_

// The hot loops, on plain pointers. One table of function pointers per instruction set; scalar is
// the definition, every level equals it bit for bit (kernels_test.cc). A translation unit
// NAME_LEVEL.cc is compiled with the flags of its level and includes only <immintrin.h> and this
// header: an inline function shared with it would become the whole program's copy.

#include <cstddef>
#include <cstdint>

namespace zhiwen {

// Of tables of cache lines (index/line_table/line_table.h): kLineBytes each, in chunks of
// 2^kChunkShift. A line has 32-bit values, then the low bytes of their keys, and in its last four
// bytes, from bit 4 on, four bits that count its slots and 24 that are 0 unless another line
// follows.
inline constexpr size_t kLineBytes = 64;
inline constexpr size_t kLineTail = 60;
inline constexpr size_t kChunkShift = 15;

// Where the keys of such a table are: (key without its lowest `kept_bits` bits) * parts >> shift is
// the line, with one part more from `frontier` on.
struct LineSearch {
  const void* const* chunks;
  uint64_t frontier, parts;
  uint32_t shift;
  uint32_t slots, moved_slots;  // of a line, before the frontier and from there on; at most 12
  // The lines that follow: the first has the number 1. Where a line has 12 slots, the four bits
  // before the count are the upper ones of 28.
  const void* const* overflow_chunks = nullptr;
  uint64_t overflow_lines = 0;
  // Where given: of key i only values count that differ from others[i / together] in at most
  // bounds[i % together] bits, which is 32 at most.
  const uint32_t* others = nullptr;
  const uint32_t* bounds = nullptr;
  uint32_t together = 1;
  uint32_t kept_bits = 0;  // at most 8
  // Where `others` are given, perhaps: key i stands for all that differ from it in bits of
  // loose[i % together], which are among the kept ones.
  const uint32_t* loose = nullptr;
};

inline constexpr int kLinesBehind = 3;

// Of split-block Bloom filters (index/filter/bloom_filter.h).
inline constexpr size_t kBlockWords = 8;

// Of bottom-k sketches: values that are sorted without branches that nobody foresees, and words
// that say which hashes may be below a bound.
inline constexpr size_t kMostFew = 64;
inline constexpr size_t kMostOrderBits = 16;

// Of codes of digits (match/digit_similarity.h): digits of a code, and codes side by side.
inline constexpr size_t kDigitRows = 20;
inline constexpr size_t kDigitColumns = 32;

struct Kernels {
  // Folds a prefix of [text, text + size) of three-byte UTF-8 characters whose table entry says "a
  // unit by itself" or "dropped, a separator". It ends before the first other character; the last
  // one before that is left too unless an ASCII byte follows inside the text, because the next
  // character may be a mark that joins it. `table` has kFoldTableSize entries, one a code point:
  // the symbol, or kFoldDropped, or kFoldStop (everything below U+0800 and the surrogates, so that
  // broken UTF-8 stops too). Writes symbols, returns bytes consumed and adds the number of symbols
  // to *count. `out` has room for size / 3 + 16 symbols, of which any may be overwritten.
  size_t (*fold_wide)(const uint8_t* text, size_t size, const uint16_t* table, uint32_t* out,
                      size_t* count);

  // out[i] = the 64-bit hash of symbols[i … i+5), for i in [0, count). symbols has count + 4
  // elements.
  void (*shingle_hashes)(const uint32_t* symbols, size_t count, uint64_t* out);

  // Of k-permutation MinHash: minima[j] = min(minima[j], permutation_j(hashes[i])) for all i, j,
  // where permutation_j(h) = (h ^ keys[j]) * multipliers[j] in 32 bits; permutations is a
  // multiple of 16.
  void (*minhash)(const uint64_t* hashes, size_t count, const uint32_t* multipliers,
                  const uint32_t* keys, size_t permutations, uint32_t* minima);

  // Of one-permutation MinHash: minima[bin] = min(minima[bin], low half of h) for each hash h,
  // where bin = (h >> 32) * bins >> 32; bins is at most 65536.
  void (*one_permutation)(const uint64_t* hashes, size_t count, uint32_t bins, uint32_t* minima);

  // Of SimHash: adds to counts[b], b from 0 to 63, how many of the hashes have bit b.
  void (*count_bits)(const uint64_t* hashes, size_t count, uint64_t* counts);

  // Of bottom-k sketches: writes the BottomOrder of those of the hashes where it is below `bound`
  // to `out`, in their order; returns how many. `out` has room for count + 8 values, of which any
  // may be overwritten.
  size_t (*orders_below)(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out);

  // Likewise sorts up to kMostFew values up to `bound`, below 2^64 - 1, each once; returns how many
  // these are. `values` has room for seven more, of which any may be overwritten.
  size_t (*sort_few)(uint64_t* values, size_t count, uint64_t bound);

  // How many code points valid UTF-8 has: bytes that are none of the later ones of a character.
  size_t (*count_code_points)(const uint8_t* bytes, size_t size);

  // The long loop of XXH3 (Y. Collet; xxhash.h, "long keys"): adds the stripes of `bytes` to
  // `sums`, kXxh3Sums of them. `size` is above kXxh3Stripe; `secret` has kXxh3Secret bytes.
  void (*xxh3_stripes)(const uint8_t* bytes, size_t size, const uint8_t* secret, uint64_t* sums);

  // Of rows of phonemes (index/vectors/phoneme_scan.h): writes the products of `query` with each of
  // `count` rows, kPhonemeBlock at most: over their initials to `products`, over their finals
  // kPhonemeBlock numbers behind, over their tones as far again; all of these may be overwritten. A
  // row has kPhonemeRow bytes: to kInitialsEnd, to kFinalsEnd, to its end. One byte behind the
  // query and one behind the last row are read, too, whatever they are.
  void (*phoneme_products)(const uint8_t* query, const uint8_t* rows, size_t count,
                           uint32_t* products);

  // Likewise one over the root of the product of each row with itself, 0 where that is.
  void (*phoneme_scales)(const uint8_t* rows, size_t count, float* scales);

  // Writes which of `count` codes of digits are nearer to `digits`, less their radius, than
  // `bound`, as their places, ascending, to `out`, which has room for all; returns how many. Codes
  // are columns, in tables of kDigitRows rows of kDigitColumns; the last table is whole, too. A
  // distance is the sum of the differences of digits, below 256 in every column; digits are below
  // 128, bound is from 1 to 255.
  size_t (*digits_near)(const uint8_t* digits, const uint8_t* tables, const uint8_t* radii,
                        size_t count, uint32_t bound, uint32_t* out);

  // How many values two ascending arrays of distinct values share.
  size_t (*intersection_size)(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size);

  // The CRC-32C of a file goes on: the register, not inverted, after `bytes`.
  uint32_t (*crc32c)(uint32_t crc, const uint8_t* bytes, size_t size);

  // Writes the mixed keys (index/line_table/mix_key.h) of key ^ flips[i], the lowest `kept` bits of
  // which, at most 8, stay as they are, to out[i].
  void (*mix_keys)(uint32_t key, const uint32_t* flips, size_t count, uint32_t kept, uint32_t* out);

  // Writes which of `count` mixed keys may have values, as their places, ascending, to `selected`,
  // which has room for all; returns how many. A key may have values when its line has a slot, in
  // use or not, with the low byte of a key that it stands for and a value that counts; or when one
  // of these bytes is not below the last slot's, and one of up to kLinesBehind lines that follow
  // has such a slot, or leads to a line that is not known, or the last of them is followed itself.
  size_t (*select_lines)(const LineSearch& search, const uint32_t* keys, size_t count,
                         uint32_t* selected);

  // Writes which of `count` codes differ from `query` in at most `radius` bits, as their places,
  // ascending, to `out`; returns how many. `out` has room for count + 8, any of which may be
  // overwritten.
  size_t (*codes_within)(const uint64_t* codes, size_t count, uint64_t query, uint32_t radius,
                         uint32_t* out);
  // The same of values of 32 bits.
  size_t (*values_within)(const uint32_t* values, size_t count, uint32_t query, uint32_t radius,
                          uint32_t* out);

  // Writes which of `count` hashes have all their bits in the blocks, as their places, ascending,
  // to `selected`, which has room for all; returns how many. The upper half of a hash, times
  // `blocks`, less than 2^32, >> 32, is its block, kBlockWords of `words`; in word w of it, it has
  // the bit (lower half * salt w) >> 27.
  size_t (*select_blocks)(const uint32_t* words, uint64_t blocks, const uint64_t* hashes,
                          size_t count, uint32_t* selected);

  // Puts the bits of the hashes, one after another, in; returns of how many one was missing.
  size_t (*fill_blocks)(uint32_t* words, uint64_t blocks, const uint64_t* hashes, size_t count);

  // Of lists of documents (index/postings/): writes `count` numbers, out[0] = first and out[i] =
  // out[i-1] + 1 + the i-th of the packed ones, modulo 2^32. These have `width` bits each, at most
  // 32, from the lowest bit of the first byte on. Up to kUnpackSlack bytes behind them may be read;
  // `out` has room for count + 16, any of which may be overwritten.
  void (*unpack_ascending)(const uint8_t* packed, uint32_t width, uint32_t first, size_t count,
                           uint32_t* out);

  // How many of `count` positions are equal.
  size_t (*count_equal)(const uint8_t* a, const uint8_t* b, size_t count);
};

inline constexpr uint16_t kFoldStop = 0xFFFF;        // needs the general path
inline constexpr uint16_t kFoldDropped = 0xFFFE;     // yields nothing and separates
inline constexpr size_t kFoldTableSize = 65536 + 2;  // two more, which a gather may read

inline constexpr size_t kUnpackSlack = 64;  // bytes

inline constexpr size_t kPhonemeRow = 63;
inline constexpr size_t kPhonemeBlock = 256;
inline constexpr size_t kInitialsEnd = 24;
inline constexpr size_t kFinalsEnd = 58;

inline constexpr size_t kXxh3Sums = 8;
inline constexpr size_t kXxh3Stripe = 64;  // bytes
inline constexpr size_t kXxh3Secret = 192;
inline constexpr size_t kXxh3StripesOfBlock = (kXxh3Secret - kXxh3Stripe) / 8;
inline constexpr size_t kXxh3LastSecret = kXxh3Secret - kXxh3Stripe - 7;
inline constexpr uint64_t kXxh3Prime = 0x9E3779B1;

// The functions of the tables. A level that no measurement favours uses the function of the level
// below (kernels.cc).
size_t FoldWideScalar(const uint8_t* text, size_t size, const uint16_t* table, uint32_t* out,
                      size_t* count);
size_t FoldWideAvx2(const uint8_t* text, size_t size, const uint16_t* table, uint32_t* out,
                    size_t* count);
size_t FoldWideAvx512(const uint8_t* text, size_t size, const uint16_t* table, uint32_t* out,
                      size_t* count);
void ShingleHashesScalar(const uint32_t* symbols, size_t count, uint64_t* out);
void ShingleHashesAvx2(const uint32_t* symbols, size_t count, uint64_t* out);
void ShingleHashesAvx512(const uint32_t* symbols, size_t count, uint64_t* out);
void MinhashScalar(const uint64_t* hashes, size_t count, const uint32_t* multipliers,
                   const uint32_t* keys, size_t permutations, uint32_t* minima);
void MinhashAvx2(const uint64_t* hashes, size_t count, const uint32_t* multipliers,
                 const uint32_t* keys, size_t permutations, uint32_t* minima);
void MinhashAvx512(const uint64_t* hashes, size_t count, const uint32_t* multipliers,
                   const uint32_t* keys, size_t permutations, uint32_t* minima);
void OnePermutationScalar(const uint64_t* hashes, size_t count, uint32_t bins, uint32_t* minima);
void OnePermutationAvx2(const uint64_t* hashes, size_t count, uint32_t bins, uint32_t* minima);
void OnePermutationAvx512(const uint64_t* hashes, size_t count, uint32_t bins, uint32_t* minima);
void CountBitsScalar(const uint64_t* hashes, size_t count, uint64_t* counts);
void CountBitsAvx2(const uint64_t* hashes, size_t count, uint64_t* counts);
void CountBitsAvx512(const uint64_t* hashes, size_t count, uint64_t* counts);
// Adds the bits of `plane_count` rows of `lane_count` words, those of row p as 2ᵖ.
void AddBitPlanes(const uint64_t* lanes, size_t lane_count, size_t plane_count, uint64_t* counts);
// A hash with the four bytes of its high half reversed: numbers that are ordered apart from the low
// halves of hashes and from their highest bits.
uint64_t BottomOrder(uint64_t hash);
size_t OrdersBelowScalar(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out);
// Orders_below of those hashes whose bit is set; up to kMostOrderBits words.
size_t OrdersOfBits(const uint64_t* hashes, const uint64_t* bits, size_t words, uint64_t bound,
                    uint64_t* out);
size_t OrdersBelowAvx2(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out);
size_t OrdersBelowAvx512(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out);
size_t SortFewScalar(uint64_t* values, size_t count, uint64_t bound);
size_t SortFewAvx2(uint64_t* values, size_t count, uint64_t bound);
size_t SortFewAvx512(uint64_t* values, size_t count, uint64_t bound);
void Xxh3StripesScalar(const uint8_t* bytes, size_t size, const uint8_t* secret, uint64_t* sums);
void Xxh3StripesAvx2(const uint8_t* bytes, size_t size, const uint8_t* secret, uint64_t* sums);
void Xxh3StripesAvx512(const uint8_t* bytes, size_t size, const uint8_t* secret, uint64_t* sums);
size_t CountCodePointsScalar(const uint8_t* bytes, size_t size);
size_t CountCodePointsAvx2(const uint8_t* bytes, size_t size);
size_t IntersectionSizeScalar(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size);
size_t IntersectionSizeAvx2(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size);
size_t IntersectionSizeAvx512(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size);
void PhonemeProductsScalar(const uint8_t* query, const uint8_t* rows, size_t count,
                           uint32_t* products);
void PhonemeProductsAvx2(const uint8_t* query, const uint8_t* rows, size_t count,
                         uint32_t* products);
void PhonemeScalesScalar(const uint8_t* rows, size_t count, float* scales);
void PhonemeScalesAvx2(const uint8_t* rows, size_t count, float* scales);
size_t DigitsNearScalar(const uint8_t* digits, const uint8_t* tables, const uint8_t* radii,
                        size_t count, uint32_t bound, uint32_t* out);
size_t DigitsNearAvx2(const uint8_t* digits, const uint8_t* tables, const uint8_t* radii,
                      size_t count, uint32_t bound, uint32_t* out);
uint32_t Crc32cScalar(uint32_t crc, const uint8_t* bytes, size_t size);
uint32_t Crc32cAvx2(uint32_t crc, const uint8_t* bytes, size_t size);
void MixKeysScalar(uint32_t key, const uint32_t* flips, size_t count, uint32_t kept, uint32_t* out);
void MixKeysAvx2(uint32_t key, const uint32_t* flips, size_t count, uint32_t kept, uint32_t* out);
void MixKeysAvx512(uint32_t key, const uint32_t* flips, size_t count, uint32_t kept, uint32_t* out);
size_t SelectLinesScalar(const LineSearch& search, const uint32_t* keys, size_t count,
                         uint32_t* selected);
size_t SelectLinesAvx2(const LineSearch& search, const uint32_t* keys, size_t count,
                       uint32_t* selected);
size_t SelectLinesAvx512(const LineSearch& search, const uint32_t* keys, size_t count,
                         uint32_t* selected);
// Of `count` selected places of keys, those that what follows their first lines leaves. Those with
// this bit are left whatever follows.
inline constexpr uint32_t kSettled = uint32_t{1} << 31;
size_t SelectByNextLines(const LineSearch& search, const uint32_t* keys, size_t count,
                         uint32_t* selected);
size_t ValuesWithinScalar(const uint32_t* values, size_t count, uint32_t query, uint32_t radius,
                          uint32_t* out);
size_t ValuesWithinAvx2(const uint32_t* values, size_t count, uint32_t query, uint32_t radius,
                        uint32_t* out);
size_t ValuesWithinAvx512(const uint32_t* values, size_t count, uint32_t query, uint32_t radius,
                          uint32_t* out);
size_t CodesWithinScalar(const uint64_t* codes, size_t count, uint64_t query, uint32_t radius,
                         uint32_t* out);
size_t CodesWithinAvx2(const uint64_t* codes, size_t count, uint64_t query, uint32_t radius,
                       uint32_t* out);
size_t CodesWithinAvx512(const uint64_t* codes, size_t count, uint64_t query, uint32_t radius,
                         uint32_t* out);
size_t SelectBlocksScalar(const uint32_t* words, uint64_t blocks, const uint64_t* hashes,
                          size_t count, uint32_t* selected);
size_t SelectBlocksAvx2(const uint32_t* words, uint64_t blocks, const uint64_t* hashes,
                        size_t count, uint32_t* selected);
size_t FillBlocksScalar(uint32_t* words, uint64_t blocks, const uint64_t* hashes, size_t count);
size_t FillBlocksAvx2(uint32_t* words, uint64_t blocks, const uint64_t* hashes, size_t count);
void UnpackAscendingScalar(const uint8_t* packed, uint32_t width, uint32_t first, size_t count,
                           uint32_t* out);
void UnpackAscendingAvx2(const uint8_t* packed, uint32_t width, uint32_t first, size_t count,
                         uint32_t* out);
void UnpackAscendingAvx512(const uint8_t* packed, uint32_t width, uint32_t first, size_t count,
                           uint32_t* out);
size_t CountEqualScalar(const uint8_t* a, const uint8_t* b, size_t count);
size_t CountEqualAvx2(const uint8_t* a, const uint8_t* b, size_t count);

// The tables, one per level.
extern const Kernels kScalarKernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;

// The selected table (zhiwen/simd.h).
const Kernels& ActiveKernels();

}  // namespace zhiwen

#endif  // ZHIWEN_KERNELS_KERNELS_H_
