// A kind of index without a hook, or with a hook of another name or type, does not compile. This
// file has nothing to run.

#include "index/durable/index_kind.h"

#include "index/codes/code_state.h"
#include "index/minhash/minhash_state.h"
#include "index/postings/postings_state.h"

namespace zhiwen {
namespace {

static_assert(IndexKind<CodesKind>);
static_assert(IndexKind<MinHashKind>);
static_assert(IndexKind<PostingsIndexKind>);

// An enumerator hides the member of the same name, as if the member were misspelt.
#define ZHIWEN_EXPECT_REFUSED_WITHOUT(hook) \
  struct Without##hook : CodesKind {        \
    enum { hook };                          \
  };                                        \
  static_assert(!IndexKind<Without##hook>, #hook)

// A type is hidden by another type, because g++ finds the type of the base behind an enumerator.
#define ZHIWEN_EXPECT_REFUSED_WITHOUT_TYPE(type) \
  struct Without##type : CodesKind {             \
    using type = void;                           \
  };                                             \
  static_assert(!IndexKind<Without##type>, #type)

ZHIWEN_EXPECT_REFUSED_WITHOUT(kName);
ZHIWEN_EXPECT_REFUSED_WITHOUT(kCommitsDirectly);
ZHIWEN_EXPECT_REFUSED_WITHOUT_TYPE(Settings);
ZHIWEN_EXPECT_REFUSED_WITHOUT_TYPE(State);
ZHIWEN_EXPECT_REFUSED_WITHOUT_TYPE(Segment);
ZHIWEN_EXPECT_REFUSED_WITHOUT_TYPE(Rows);
ZHIWEN_EXPECT_REFUSED_WITHOUT_TYPE(Memory);
ZHIWEN_EXPECT_REFUSED_WITHOUT_TYPE(Changer);
ZHIWEN_EXPECT_REFUSED_WITHOUT_TYPE(Check);
ZHIWEN_EXPECT_REFUSED_WITHOUT(ReadSettings);
ZHIWEN_EXPECT_REFUSED_WITHOUT(Fits);
ZHIWEN_EXPECT_REFUSED_WITHOUT(CheckRecord);
ZHIWEN_EXPECT_REFUSED_WITHOUT(CheckState);
ZHIWEN_EXPECT_REFUSED_WITHOUT(Write);
ZHIWEN_EXPECT_REFUSED_WITHOUT(Merge);
ZHIWEN_EXPECT_REFUSED_WITHOUT(FindRow);
ZHIWEN_EXPECT_REFUSED_WITHOUT(ShareOfFile);
ZHIWEN_EXPECT_REFUSED_WITHOUT(RowsOf);

struct WithLongName : CodesKind {
  static constexpr std::string_view kName = "sixteen letters!";
};
static_assert(!IndexKind<WithLongName>);

// The hook returns another type.
struct WithOtherShare : CodesKind {
  static float ShareOfFile(const CodeSegment& segment);
};
static_assert(!IndexKind<WithOtherShare>);

// The hook takes an argument that the caller does not give.
struct WithOtherArguments : CodesKind {
  static Status CheckRecord(std::string_view record, const CodeIndexOptions& settings);
};
static_assert(!IndexKind<WithOtherArguments>);

// A kind without direct commits need not have RowsOf.
struct WithoutDirectCommits : CodesKind {
  static constexpr bool kCommitsDirectly = false;
  enum { RowsOf };
};
static_assert(IndexKind<WithoutDirectCommits>);

// A segment without CheckAll is not accepted.
struct UncheckedSegment : CodeSegment {
  static Result<std::unique_ptr<UncheckedSegment>> Open(FileSystem& files, const std::string& path);
  enum { CheckAll };
};
static_assert(IndexSegment<CodeSegment> && !IndexSegment<UncheckedSegment>);

}  // namespace
}  // namespace zhiwen
