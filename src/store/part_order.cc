#include "store/part_order.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

// The role of a character in a Chinese number.
struct Numeral {
  bool is_digit = false;
  uint64_t value = 0;  // of a digit, or of a unit such as 十; 0 for another character
};

Numeral NumeralOf(uint32_t code_point) {
  switch (code_point) {
    case U'零':
    case U'〇':
      return {true, 0};
    case U'一':
      return {true, 1};
    case U'二':
    case U'两':
    case U'兩':
      return {true, 2};
    case U'三':
      return {true, 3};
    case U'四':
      return {true, 4};
    case U'五':
      return {true, 5};
    case U'六':
      return {true, 6};
    case U'七':
      return {true, 7};
    case U'八':
      return {true, 8};
    case U'九':
      return {true, 9};
    case U'十':
      return {false, 10};
    case U'百':
      return {false, 100};
    case U'千':
      return {false, 1000};
    case U'万':
    case U'萬':
      return {false, 10000};
    default:
      return {false, 0};
  }
}

// Returns the ASCII digit of a digit, 0 for another character.
char DigitOf(uint32_t code_point) {
  if (code_point >= '0' && code_point <= '9') return static_cast<char>(code_point);
  if (code_point >= U'０' && code_point <= U'９') {
    return static_cast<char>('0' + (code_point - U'０'));
  }
  return 0;
}

// Reads a run of Chinese numerals: 一百零三, 二〇二四.
class ChineseNumber {
 public:
  void Add(const Numeral& numeral) {
    if (numeral.is_digit) {
      digits_ += static_cast<char>('0' + numeral.value);
      last_ = numeral.value;
      return;
    }
    has_units_ = true;
    if (numeral.value == 10000) {
      below_ = (below_ + last_) * numeral.value;
    } else {
      below_ += (last_ == 0 ? 1 : last_) * numeral.value;
    }
    last_ = 0;
  }

  // Returns the decimal digits of the number.
  std::string Digits() const { return has_units_ ? std::to_string(below_ + last_) : digits_; }

 private:
  std::string digits_;  // as they stand: the number, where there are no units
  uint64_t below_ = 0;  // what was read up to the last unit
  uint64_t last_ = 0;   // the digit behind it
  bool has_units_ = false;
};

// Appends a number so that more digits are more: '0', the number of digits, the digits.
void AppendNumber(std::string_view digits, std::string& order) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  order += '0';
  order += static_cast<char>(std::min<size_t>(digits.size(), 255));
  order += digits;
}

}  // namespace

std::string PartOrder(std::string_view part) {
  std::string order;
  for (size_t at = 0; at < part.size();) {
    std::string digits;
    ChineseNumber chinese;
    bool is_chinese = false;
    DecodedCodePoint decoded = {};
    for (; at < part.size(); at += decoded.length) {
      decoded = DecodeAt(part, at);
      const char digit = DigitOf(decoded.code_point);
      const Numeral numeral = NumeralOf(decoded.code_point);
      const bool may_be_chinese = numeral.is_digit || numeral.value != 0;
      if (digit != 0 && !is_chinese) {
        digits += digit;
      } else if (may_be_chinese && digits.empty()) {
        is_chinese = true;
        chinese.Add(numeral);
      } else {
        break;
      }
    }
    if (is_chinese) digits = chinese.Digits();
    if (!digits.empty()) {
      AppendNumber(digits, order);
    } else {
      order += part.substr(at, decoded.length);
      at += decoded.length;
    }
  }
  return order;
}

void SortParts(std::vector<StoredDocument>& documents) {
  std::vector<std::pair<std::string, StoredDocument>> ordered;
  ordered.reserve(documents.size());
  for (StoredDocument& document : documents) {
    ordered.emplace_back(PartOrder(document.labels.part), std::move(document));
  }
  std::ranges::sort(ordered, {}, [](const auto& part) {
    return std::tie(part.first, part.second.labels.part, part.second.number);
  });
  for (size_t i = 0; i < documents.size(); ++i) documents[i] = std::move(ordered[i].second);
}

}  // namespace zhiwen
