#ifndef ZHIWEN_PIPELINE_RECORDS_CODE_SOURCE_H_
#define ZHIWEN_PIPELINE_RECORDS_CODE_SOURCE_H_

// What reads codes (zhiwen/code_reader.h): lines (code_lines.cc), binary files (code_reader.cc),
// Parquet (columnar/parquet_codes.h).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhiwen/code_reader.h"

namespace zhiwen {

class CodeSource {
 public:
  virtual ~CodeSource() = default;
  virtual Result<bool> Next(CodeBatch& batch) = 0;
  virtual uint64_t rows_without_code() const { return 0; }
  virtual std::string_view scheme() const { return {}; }
  virtual uint64_t bytes_read() const = 0;
};

inline constexpr size_t kMostCodeRows = size_t{1} << 16;  // of a batch

// Labels that must be copied.
class LabelCopies {
 public:
  void Clear();
  void Add(std::string_view label);
  // The views live until Clear.
  void Finish(std::vector<std::string_view>& labels) const;

 private:
  std::string text_;
  std::vector<size_t> ends_;
};

// Which rows of fingerprints count, by their scheme.
class SchemeChoice {
 public:
  // A field "scheme" says nothing of codes that have a field of their own, unless one is wanted.
  explicit SchemeChoice(const CodeReaderOptions& options);

  bool is_asked() const { return is_asked_; }
  // Notes a row's scheme, empty where it has none; returns whether the row counts.
  bool Takes(std::string_view scheme);
  // Of the rows that count, empty where none has one.
  const std::string& chosen() const { return chosen_; }
  // Fails: kUnreadable where rows of several schemes would count, naming those that were seen.
  Status CheckOne(std::string_view file) const;
  // At the end of the file. Fails: kNotFound where there are rows, and none of them counts.
  Status CheckFound(std::string_view file) const;

 private:
  bool Matches(std::string_view scheme) const;
  std::string ListSeen() const;

  std::string wanted_;
  bool is_asked_;
  bool is_ambiguous_ = false;
  bool has_rows_ = false, has_chosen_ = false;
  std::string chosen_;
  std::vector<std::string> seen_;
};

// A code of 64 or 32 bits from what files have. They return what is wrong, for people, behind "line
// 3" or "field x": "is no code of …"; empty: nothing.
std::string CodeOfHex(std::string_view text, uint32_t bits, uint64_t& code);
// Of a fingerprint, whose value has as many digits as its scheme says.
std::string CodeOfValue(std::string_view hex, uint32_t bits, uint64_t& code);
std::string CodeOfBytes(std::string_view bytes, uint32_t bits, uint64_t& code);
// What is wrong with a number of which digits may be lost already.
inline constexpr std::string_view kInexactNumber =
    "is no whole number but one with a fraction or an exponent, and codes lose digits so; write "
    "whole numbers, or strings of hex digits";
// Of an empty id where rows are named by it: it would stand for all rows that have none.
inline constexpr std::string_view kNoId =
    "is empty, which is no id; rows without an id are named by row or by code";
// Of a whole number as JSON spells it.
std::string CodeOfNumber(std::string_view number, uint32_t bits, uint64_t& code);
std::string FaultOfLabel(std::string_view label);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RECORDS_CODE_SOURCE_H_
