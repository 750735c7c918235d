#ifndef ZHIWEN_BASE_HASH_H_
#define ZHIWEN_BASE_HASH_H_

// XXH3 for identities and stored values. It is not cryptographic: use SHA-256 against forgers.

#include <compare>
#include <cstdint>
#include <memory>
#include <string_view>

namespace zhiwen {

struct Hash128 {
  uint64_t high = 0, low = 0;

  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

uint64_t HashBytes64(std::string_view bytes, uint64_t seed = 0);
Hash128 HashBytes128(std::string_view bytes, uint64_t seed = 0);

// Computes HashBytes128 of bytes that come in pieces, however they are cut.
class StreamHash128 {
 public:
  StreamHash128();
  ~StreamHash128();
  StreamHash128(StreamHash128&&) noexcept;
  StreamHash128& operator=(StreamHash128&&) noexcept;

  void Add(std::string_view bytes);
  Hash128 Finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Computes HashBytes64 of bytes that come in pieces.
class StreamHash64 {
 public:
  StreamHash64();
  ~StreamHash64();

  void Add(std::string_view bytes);
  uint64_t Finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_HASH_H_
