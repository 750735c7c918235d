#include "pipeline/extract/site_templates.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/radix_sort.h"
#include "base/utf8/ascii.h"

namespace zhiwen {
namespace {

constexpr std::string_view kWww = "www.";

std::string_view HostOf(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view host = url.substr(scheme + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  return host.substr(host.rfind('@') + 1);
}

uint64_t HashSite(std::string_view site) { return HashBytes64(LowerAsciiOf(site)); }

std::string_view LineOf(const ExtractedDocument& document, const ExtractedBlock& block) {
  return std::string_view(document.text).substr(block.text.begin.value, block.text.size());
}

size_t CountCharacters(std::string_view utf8) {
  return static_cast<size_t>(std::ranges::count_if(utf8, [](char byte) {
    const auto value = static_cast<uint8_t>(byte);
    return value > ' ' && (value & 0xc0) != 0x80;  // no blank, and the first byte of its character
  }));
}

// Makes the posts those of the blocks that stay.
void KeepPosts(const std::vector<bool>& drops, std::vector<ExtractedPost>& posts) {
  const auto kept_before = [&](size_t block) {
    const auto end = drops.begin() + static_cast<ptrdiff_t>(block);
    return static_cast<size_t>(std::count(drops.begin(), end, false));
  };
  for (ExtractedPost& post : posts) {
    post.begin = kept_before(post.begin);
    post.end = kept_before(post.end);
  }
  std::erase_if(posts, [](const ExtractedPost& post) { return post.begin == post.end; });
}

// Makes the text anew, of the blocks that stay.
void KeepBlocks(const std::vector<bool>& drops, ExtractedDocument& document) {
  std::string text;
  std::vector<ExtractedBlock> blocks;
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    if (drops[i]) continue;
    if (!blocks.empty()) text += '\n';
    ExtractedBlock& block = blocks.emplace_back(document.blocks[i]);
    const std::string_view line = LineOf(document, block);
    block.text = {{text.size()}, {text.size() + line.size()}};
    text += line;
  }
  KeepPosts(drops, document.posts);
  const auto share_kept = static_cast<double>(CountCharacters(text)) /
                          static_cast<double>(CountCharacters(document.text));
  document.share *= share_kept;
  document.text = std::move(text);
  document.blocks = std::move(blocks);
}

}  // namespace

std::string_view SiteOf(std::string_view url, std::string_view file) {
  std::string_view host = HostOf(url);
  if (host.empty()) return file.substr(0, file.find_last_of('/') + 1);
  if (host.starts_with(kWww)) host.remove_prefix(kWww.size());
  return host;
}

SitePage MakeSitePage(std::string_view site, const ExtractedDocument& document) {
  SitePage page = {.site = HashSite(site), .lines = {}};
  page.lines.reserve(document.blocks.size());
  for (const ExtractedBlock& block : document.blocks) {
    page.lines.push_back(HashBytes64(LineOf(document, block), page.site));
  }
  std::ranges::sort(page.lines);
  page.lines.erase(std::ranges::unique(page.lines).begin(), page.lines.end());
  return page;
}

void SiteTemplateCounts::Add(const SitePage& page) {
  if (page.lines.empty() || is_full()) return;
  ++templates_.pages_[page.site];
  lines_.insert(lines_.end(), page.lines.begin(), page.lines.end());
}

SiteTemplates SiteTemplateCounts::Finish() {
  LargeVector<uint64_t> scratch(lines_.size());
  RadixSort(lines_, scratch);
  for (size_t begin = 0, end = 0; begin < lines_.size(); begin = end) {
    while (end < lines_.size() && lines_[end] == lines_[begin]) ++end;
    if (end - begin < kLeastTemplatePages) continue;
    templates_.shared_.push_back({.line = lines_[begin], .pages = end - begin});
  }
  LargeVector<uint64_t>().swap(lines_);
  return std::move(templates_);
}

uint64_t SiteTemplates::PagesWith(uint64_t line) const {
  const auto found = std::ranges::lower_bound(shared_, line, {}, &Shared::line);
  return found == shared_.end() || found->line != line ? 0 : found->pages;
}

std::vector<DroppedLine> SiteTemplates::DropFrom(std::string_view site,
                                                 ExtractedDocument& document) const {
  const uint64_t site_hash = HashSite(site);
  const auto pages = pages_.find(site_hash);
  if (pages == pages_.end()) return {};
  const auto least = kLeastTemplateShare * static_cast<double>(pages->second);
  std::vector<DroppedLine> dropped;
  std::vector<bool> drops(document.blocks.size());
  size_t own = 0;
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    const std::string_view line = LineOf(document, document.blocks[i]);
    const uint64_t with = PagesWith(HashBytes64(line, site_hash));
    drops[i] = with > 0 && static_cast<double>(with) >= least;
    if (!drops[i]) {
      own += CountCharacters(line);
      continue;
    }
    dropped.push_back({.text = std::string(line),
                       .source = document.blocks[i].source,
                       .pages = with,
                       .site_pages = pages->second});
  }
  if (dropped.empty() || own < kLeastOwnText) return {};
  KeepBlocks(drops, document);
  return dropped;
}

}  // namespace zhiwen
