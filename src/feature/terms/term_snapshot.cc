#include "zhiwen/term_snapshot.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "base/files/section_file.h"
#include "base/utf8/utf8.h"
#include "feature/terms/snapshot_file.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

// Returns 65536 · log2(x) for x ≥ 1, rounded down. Each bit of the fraction is found by squaring
// (Knuth, The Art of Computer Programming, §1.2.2, exercise 25).
uint64_t FixedLog2(uint64_t x) {
  constexpr int kMantissaBits = 31;
  const int whole = 63 - std::countl_zero(x);
  uint64_t mantissa =
      whole >= kMantissaBits ? x >> (whole - kMantissaBits) : x << (kMantissaBits - whole);
  auto result = static_cast<uint64_t>(whole);
  for (int bit = 0; bit < 16; ++bit) {
    mantissa = mantissa * mantissa >> kMantissaBits;
    const uint64_t is_two = mantissa >> (kMantissaBits + 1);
    mantissa >>= is_two;
    result = result << 1 | is_two;
  }
  return result;
}

}  // namespace

TermSnapshot::~TermSnapshot() = default;

Result<std::shared_ptr<const TermSnapshot>> TermSnapshot::Open(FileSystem& files,
                                                               const std::string& path) {
  std::shared_ptr<TermSnapshot> snapshot(new TermSnapshot());
  ZHIWEN_ASSIGN_OR_RETURN(SectionFile file, SectionFile::Open(files, path, kTermsFile));
  snapshot->file_ = std::make_unique<const SectionFile>(std::move(file));
  ZHIWEN_RETURN_IF_ERROR(snapshot->Read());
  return std::shared_ptr<const TermSnapshot>(std::move(snapshot));
}

const std::string& TermSnapshot::path() const { return file_->path(); }

// Checks everything that later functions rely on, once.
Status TermSnapshot::Read() {
  id_ = fmt::format("{:016x}", file_->identity());
  ZHIWEN_ASSIGN_OR_RETURN(const auto about, file_->Values<SnapshotAbout>(kAboutSection));
  if (about.size() != 1) return file_->Damaged(kAboutSection, "its size is wrong");
  documents_ = about[0].documents;
  least_documents_ = about[0].least_documents;
  if (documents_ > kMostSnapshotDocuments || least_documents_ == 0) {
    return file_->Damaged(kAboutSection, "it has numbers that cannot be");
  }
  ZHIWEN_ASSIGN_OR_RETURN(terms_name_, file_->Bytes(kNameSection));
  if (FindInvalidUtf8(terms_name_) != terms_name_.size()) {
    return file_->Damaged(kNameSection, "it is not UTF-8");
  }
  ZHIWEN_ASSIGN_OR_RETURN(words_, file_->Bytes(kWordsSection));
  ZHIWEN_ASSIGN_OR_RETURN(ends_, file_->Values<uint32_t>(kEndsSection));
  ZHIWEN_ASSIGN_OR_RETURN(counts_, file_->Values<uint32_t>(kCountsSection));
  if (ends_.size() != counts_.size() || (ends_.empty() ? 0 : ends_.back()) != words_.size()) {
    return file_->Damaged(kEndsSection, "it does not fit the other sections");
  }
  std::string_view before;
  uint32_t begin = 0;
  for (size_t i = 0; i < ends_.size(); ++i) {
    if (ends_[i] <= begin || ends_[i] > words_.size()) {
      return file_->Damaged(kEndsSection, "it is not ascending");
    }
    const std::string_view word = words_.substr(begin, ends_[i] - begin);
    if (word <= before) return file_->Damaged(kWordsSection, "it is not sorted");
    if (FindInvalidUtf8(word) != word.size()) {
      return file_->Damaged(kWordsSection, "it is not UTF-8");
    }
    if (counts_[i] < least_documents_ || counts_[i] > documents_) {
      return file_->Damaged(kCountsSection, "it has a count that cannot be");
    }
    before = word;
    begin = ends_[i];
  }
  return {};
}

std::string_view TermSnapshot::term(size_t index) const {
  const uint32_t begin = index == 0 ? 0 : ends_[index - 1];
  return words_.substr(begin, ends_[index] - begin);
}

uint64_t TermSnapshot::DocumentsWith(std::string_view wanted) const {
  size_t begin = 0;
  size_t end = size();
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    const int order = term(middle).compare(wanted);
    if (order == 0) return counts_[middle];
    (order < 0 ? begin : end) = order < 0 ? middle + 1 : middle;
  }
  return 0;
}

uint64_t TermSnapshot::Idf(std::string_view wanted) const {
  uint64_t with = DocumentsWith(wanted);
  if (with == 0) with = std::min(least_documents_ - 1, documents_);
  constexpr uint64_t kOne = 65536;
  return kOne + FixedLog2(documents_ + 1) - FixedLog2(with + 1);
}

Status TermSnapshot::CheckMadeWith(const TermExtractor& extractor) const {
  if (size() == 0) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot use \"{}\": it has no term, so that it does not know which "
                            "are rare; build it again, of a corpus with texts",
                            path()));
  }
  if (extractor.name() == terms_name_) return {};
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot use \"{}\": it counted {}, and the terms here are {}; give the "
                          "same unit, dictionaries and synonyms, or build it again",
                          path(), terms_name_, extractor.name()),
              {Advice::kGiveWords});
}

std::vector<size_t> MostFrequent(const TermSnapshot& snapshot, size_t top) {
  std::vector<size_t> indices(snapshot.size());
  std::iota(indices.begin(), indices.end(), size_t{0});
  const size_t count = std::min(top, indices.size());
  std::ranges::partial_sort(indices, indices.begin() + static_cast<ptrdiff_t>(count),
                            [&](size_t a, size_t b) {
                              const uint64_t with_a = snapshot.documents_with(a);
                              const uint64_t with_b = snapshot.documents_with(b);
                              return with_a != with_b ? with_a > with_b : a < b;
                            });
  indices.resize(count);
  return indices;
}

}  // namespace zhiwen
