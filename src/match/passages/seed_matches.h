#ifndef ZHIWEN_MATCH_PASSAGES_SEED_MATCHES_H_
#define ZHIWEN_MATCH_PASSAGES_SEED_MATCHES_H_

// Finds equal stretches of two texts from seeds: short runs of equal symbols, extended in both
// directions as far as they go.
//
// In          symbols of both texts on one channel, each fewer than 2³¹; the length of a seed
// Out         stretches of at least `seed` symbols that can be extended in neither direction,
//             ascending in a, then in b
// Guarantees  where a symbol of a run of a begins a seed that at most kMostSeedPlaces places of b
//             begin with, all of these are found. A seed that more places have is made longer;
//             where the longest has too many, its first place in b stands for all, and is tried
//             where no stretch covers the text yet
// Cost        linear in both texts, and in what is found; 30 bytes a symbol of b
// Fails       not: where cancellation is requested, some stretches are missing

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "zhiwen/environment.h"
#include "zhiwen/offsets.h"

namespace zhiwen {

inline constexpr size_t kMostSeedPlaces = 16;

// Where the stretches of a are looked for.
enum class PassageSource : uint8_t {
  kOther,    // in b, which is another text
  kEarlier,  // in b, which is a itself, before where they stand: what the text repeats
};

struct SeedMatch {
  uint32_t a = 0, b = 0;
  uint32_t length = 0;

  friend bool operator==(const SeedMatch&, const SeedMatch&) = default;
};

class SeedPlaces;

// Tells of most seeds of one length that texts do not have them.
class SeedFilter {
 public:
  // `symbols` are how many the texts have.
  SeedFilter(uint32_t length, size_t symbols);

  void Add(std::span<const uint32_t> symbols);

  // Returns false for most hashes of seeds that were not added, true for all that were.
  bool MayHave(uint64_t hash) const {
    return (bits_[hash >> shift_ >> 6] >> (hash >> shift_ & 63) & 1) != 0;
  }

 private:
  uint32_t length_;
  uint32_t shift_;
  std::vector<uint64_t> bits_;  // by the first bits of a hash
};

// Finds the stretches that one text a after another, or part of it, shares with b. Threads: one at
// a time.
class SeedMatcher {
 public:
  // `b` must outlive the object, and so must `wanted`, which has the seeds of what is looked for,
  // if it is given. With kEarlier b is the whole a.
  SeedMatcher(std::span<const uint32_t> b, uint32_t seed,
              PassageSource source = PassageSource::kOther, const SeedFilter* wanted = nullptr);
  ~SeedMatcher();

  std::vector<SeedMatch> Find(std::span<const uint32_t> a, const Cancellation& cancellation);

 private:
  const SeedPlaces& PlacesOf(size_t level);

  const std::span<const uint32_t> b_;
  const uint32_t seed_;
  const PassageSource source_;
  const SeedFilter* const wanted_;
  std::vector<std::unique_ptr<const SeedPlaces>> places_;  // of seeds of each length, once needed
  std::vector<uint32_t> ends_;                             // by diagonal; zeros between calls
};

// Finds the same in one text after another, quicker: the seeds of the text are in a table. A seed
// that more than kMostSeedPlaces places of the text have is tried at the first of them alone, where
// no stretch covers the other text yet; and stretches are left out that are 128 symbols away from
// every one of `anchor` symbols.
//
// Cost        a nanosecond or two a symbol of the other text, more where anchors may be, and what
//             is found
// Threads     one at a time
class SeedFinder {
 public:
  // `text` must outlive the object.
  SeedFinder(std::span<const uint32_t> text, uint32_t seed, uint32_t anchor);
  ~SeedFinder();

  // Returns the stretches that the text (a) and `other` (b) share, as SeedMatcher does.
  std::vector<SeedMatch> Find(std::span<const uint32_t> other);

 private:
  std::optional<SymbolSpan> AnchorAt(std::span<const uint32_t> other, size_t at) const;
  std::vector<SymbolSpan> PlacesNearAnchors(std::span<const uint32_t> other) const;

  const std::span<const uint32_t> text_;
  const uint32_t seed_, anchor_;
  const std::unique_ptr<const SeedPlaces> places_;
  SeedFilter may_have_;
  std::vector<uint32_t> ends_;  // by diagonal; zeros between calls
};

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_SEED_MATCHES_H_
