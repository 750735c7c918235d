#ifndef ZHIWEN_CLUSTER_SINGLE_PASS_H_
#define ZHIWEN_CLUSTER_SINGLE_PASS_H_

// Clusters a stream of codes in one pass: a code joins the nearest centre within a radius, or
// becomes a centre itself. 语义指纹提取的几种方法, 基于 Single-Pass 的语义指纹快速聚类, steps 1 to
// 6, with HD as the radius.
//
// In          codes of 64 bits, or of 32, one after another
// Out         for each the centre that it joins; of equally near centres the smallest code
// Guarantees  both forms give the same for every stream (single_pass_test.cc). The result depends
//             on the order of the stream; codes of a cluster may differ in up to 2 · radius bits
// Cost        the slow form compares all centres; the other asks a Hamming index for radii 0, 1, …
//             in turn: a microsecond or two for radius 3, 20 bytes a centre. It compares all where
//             so many centres share half of their bits that the index would miss some
// Threads     one at a time

#include <cstdint>
#include <memory>

#include "zhiwen/result.h"

namespace zhiwen {

struct SinglePassStep {
  uint64_t centre = 0;    // code of the centre
  bool is_new = false;    // the code has become one
  uint32_t distance = 0;  // from the centre
};

class SinglePass {
 public:
  virtual ~SinglePass() = default;

  // Takes the next code.
  virtual Result<SinglePassStep> Take(uint64_t code) = 0;

  virtual uint64_t centres() const = 0;
};

// The definition.
std::unique_ptr<SinglePass> MakeSlowSinglePass(uint32_t radius);

// `code_bits` is 64 or 32; `radius` is less than that.
std::unique_ptr<SinglePass> MakeIndexedSinglePass(uint32_t code_bits, uint32_t radius);

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_SINGLE_PASS_H_
