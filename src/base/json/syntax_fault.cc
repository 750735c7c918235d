#include "base/json/syntax_fault.h"

#include <nlohmann/json.hpp>
#include <string>

namespace zhiwen {
namespace {

// Ignores the values, and records the depth and the first error.
class FaultFinder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit FaultFinder(size_t max_depth) : max_depth_(max_depth) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(size_t) override { return Enter(); }
  bool start_array(size_t) override { return Enter(); }
  bool end_object() override { return Leave(); }
  bool end_array() override { return Leave(); }
  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    constexpr int kParseErrors = 101;  // the other codes concern the range of numbers
    if (error.id == kParseErrors) fault_.byte = position == 0 ? 0 : position - 1;
    return false;
  }

  const SyntaxFault& fault() const { return fault_; }

 private:
  bool Enter() {
    fault_.too_deep = ++depth_ > max_depth_;
    return !fault_.too_deep;
  }
  bool Leave() {
    --depth_;
    return true;
  }

  size_t max_depth_;
  size_t depth_ = 0;
  SyntaxFault fault_;
};

}  // namespace

SyntaxFault FindSyntaxFault(std::string_view json, size_t max_depth) {
  FaultFinder finder(max_depth);
  nlohmann::json::sax_parse(json.begin(), json.end(), &finder);
  SyntaxFault fault = finder.fault();
  // The slower parser takes a NUL byte between values for the end of the text.
  if (const size_t nul = json.find('\0');
      nul != std::string_view::npos && !fault.byte.has_value()) {
    fault.byte = nul;
  }
  return fault;
}

}  // namespace zhiwen
