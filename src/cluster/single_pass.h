#ifndef ZHIWEN_CLUSTER_SINGLE_PASS_H_
#define ZHIWEN_CLUSTER_SINGLE_PASS_H_

// Clusters a stream of codes in one pass: a code joins the nearest centre within a radius, or
// becomes a centre itself. 语义指纹提取的几种方法, 基于 Single-Pass 的语义指纹快速聚类, steps 1 to
// 6, with HD as the radius. A window and a judge change the rule where they are used:
//
//   window   A centre is forgotten when the code at hand is more than the window later than the
//            latest code that joined it. The latest that joined, not the centre itself, counts: a
//            story that is still reprinted stays one cluster, and a story that nobody prints is
//            forgotten just as soon. A code without a date counts as being of the date of the last
//            code before it that had one; codes before the first date are of the first date
//   judge    A centre within the radius has to be accepted. The nearest one that is accepted takes
//            the code; if none of the nearest kMostJudged is, the code becomes a centre, though
//            others are within the radius. A copy that comes later so finds a cluster of its own
//
// In          codes of 64 bits, or of 32, one after another, with dates where there is a window
// Out         for each the centre that it joins; of equally near centres the one of the smallest
//             code, of equal codes (where a judge made some) the one that was made first
// Guarantees  both forms give the same for every stream (single_pass_test.cc). The result depends
//             on the order of the stream; codes of a cluster may differ in up to 2 · radius bits
// Cost        the slow form compares all centres; the other asks a Hamming index for radii 0, 1, …
//             in turn: 4 µs for radius 3 and 9 µs for radius 6, at a million centres
//             (single_pass_benchmark.cc); 80 bytes a centre, 24 more with a window, 30 more from
//             radius 5 on. It compares all where so many centres share half of their bits that the
//             index would miss some. Forgotten centres take no memory
// Threads     one at a time
// Fails       as the judge does; the stream cannot go on then

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "zhiwen/result.h"

namespace zhiwen {

struct SinglePassOptions {
  uint32_t code_bits = 64;              // or 32
  uint32_t radius = 3;                  // less than code_bits
  std::optional<uint64_t> window = {};  // seconds, less than 2⁶²; nothing is forgotten without one
  // Called with the number of a centre that is forgotten; may be empty.
  std::function<void(uint64_t centre)> forget = {};
};

// A code of the stream. Its number is the caller's: later codes have larger ones.
struct StreamCode {
  uint64_t number = 0;
  uint64_t code = 0;
  std::optional<int64_t> date = {};  // seconds since 1970
};

struct SinglePassStep {
  uint64_t centre = 0;                 // number of the code that is the centre
  bool is_new = false;                 // the code has become one
  uint32_t distance = 0;               // from the centre
  bool refused = false;                // the nearest centre within the radius was not accepted
  std::optional<int64_t> date = {};    // that the code counts as being of; nothing before the first
  std::optional<int64_t> latest = {};  // with a window: of the codes that joined the centre
};

class SinglePass {
 public:
  static constexpr size_t kMostJudged = 16;

  // Returns whether a code may join the centre of this number.
  using Judge = std::function<Result<bool>(uint64_t centre)>;

  virtual ~SinglePass() = default;

  // Takes the next code. Without a judge every centre is accepted.
  virtual Result<SinglePassStep> Take(const StreamCode& code, const Judge& judge) = 0;
  Result<SinglePassStep> Take(const StreamCode& code) { return Take(code, {}); }

  // Brings back a centre of an earlier run, before the first code is taken: its date is the latest
  // that joined it, or the first of the stream; nothing in a stream that has had no date.
  virtual void Restore(const StreamCode& centre) = 0;
  // Brings back the date that a code without one counts as.
  virtual void RestoreDate(int64_t date) = 0;

  virtual uint64_t centres() const = 0;
};

// The definition.
std::unique_ptr<SinglePass> MakeSlowSinglePass(const SinglePassOptions& options);

std::unique_ptr<SinglePass> MakeIndexedSinglePass(const SinglePassOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_SINGLE_PASS_H_
