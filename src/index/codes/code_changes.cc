#include "index/codes/code_changes.h"

#include <algorithm>

#include "base/coding.h"

namespace zhiwen {
namespace {

void AppendAction(std::string& out, CodeAction action) { out.push_back(static_cast<char>(action)); }

}  // namespace

void CodeChanges::NoteCode(uint64_t code) {
  code_bits_set_ |= code;
  AppendFixed64(bytes_, code);
}

void CodeChanges::NoteLabel(std::string_view label) {
  longest_label_ = std::max(longest_label_, label.size());
  AppendString(bytes_, label);
}

void CodeChanges::Add(uint64_t code, std::string_view label) {
  AppendAction(bytes_, CodeAction::kAdd);
  NoteCode(code);
  NoteLabel(label);
  ++additions_;
}

void CodeChanges::Remove(uint64_t code, std::string_view label) {
  AppendAction(bytes_, CodeAction::kRemoveRow);
  NoteCode(code);
  NoteLabel(label);
  ++removals_;
}

void CodeChanges::RemoveCode(uint64_t code) {
  AppendAction(bytes_, CodeAction::kRemoveCode);
  NoteCode(code);
  ++removals_;
}

void CodeChanges::RemoveLabel(std::string_view label) {
  AppendAction(bytes_, CodeAction::kRemoveLabel);
  NoteLabel(label);
  ++removals_;
}

void CodeChanges::Clear() {
  bytes_.clear();  // keeps its capacity
  additions_ = removals_ = code_bits_set_ = 0;
  longest_label_ = 0;
}

Status VisitChanges(std::string_view bytes,
                    const std::function<void(const CodeChange& change)>& visit) {
  Decoder decoder(bytes);
  while (!decoder.rest().empty()) {
    const auto action = static_cast<uint8_t>(decoder.rest().front());
    if (action > static_cast<uint8_t>(CodeAction::kRemoveLabel)) {
      return Fail(ErrorCode::kUnreadable, "a record of the log has a change of an unknown kind");
    }
    decoder = Decoder(decoder.rest().substr(1));
    CodeChange change;
    change.action = static_cast<CodeAction>(action);
    if (change.action != CodeAction::kRemoveLabel) {
      ZHIWEN_ASSIGN_OR_RETURN(change.code, decoder.Fixed64());
    }
    if (change.action != CodeAction::kRemoveCode) {
      ZHIWEN_ASSIGN_OR_RETURN(change.label, decoder.String());
    }
    visit(change);
  }
  return {};
}

}  // namespace zhiwen
