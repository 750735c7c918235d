#include <algorithm>

#include <fmt/format.h>

#include "base/files/user_lines.h"
#include "base/hash.h"
#include "base/utf8/ascii.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

// Function words: pronouns, conjunctions, prepositions, particles, auxiliaries, adverbs of degree
// and time, measure words without content; and phrases with which reports introduce names.
constexpr std::string_view kUsual =
    "一 一下 一个 一些 一切 一定 一方面 一旦 一样 一点 一直 一种 一般 一起 一边 上 上下 上述 下 "
    "下列 "
    "下面 不 不仅 不会 不但 不光 不可 不同 不如 不得 不是 不能 不要 不论 不过 与 与其 与否 且 个 "
    "中 "
    "为 为了 为什么 主要 之 之一 之前 之后 之间 乎 也 也是 也许 了 于 于是 些 亦 人们 什么 今 介于 "
    "仍 仍然 从 从而 他 他们 以 以上 以下 以为 以便 以前 以及 以后 以来 以至 们 任 任何 会 似乎 但 "
    "但是 何 何况 你 你们 使 使得 依 依照 依靠 便 便于 俺 倘若 借 假如 做 像 全 全部 关于 其 其中 "
    "其他 其他人 其余 其它 其实 再 再者 再说 况且 几 几乎 凡 凡是 出 出来 出现 分别 则 别 别人 "
    "别的 "
    "到 前 前者 加以 加之 十分 即 即使 即便 即将 却 又 及 及其 及时 另 另一方面 另外 只 只是 只有 "
    "只能 只要 叫 可 可以 可是 可能 各 各个 各位 各种 各自 同 同时 后 后者 向 吗 否则 吧 呀 呢 和 "
    "咱 咱们 哪 哪个 哪些 哪儿 哪里 哪怕 啊 啥 嘛 因 因为 因此 因而 在 在于 地 基于 基本 处 多 "
    "多么 "
    "多少 大 大家 太 她 她们 好 如 如下 如何 如同 如果 如此 它 它们 它的 宁可 对 对于 将 将要 尔 "
    "尚 "
    "尤其 就 就是 就要 尽 尽管 已 已经 并 并且 并非 应 应当 应该 很 得 得到 必须 怎 怎么 怎么样 "
    "怎样 "
    "怎能 总 总之 总是 您 我 我们 或 或者 或许 所 所以 所有 所谓 才 才能 打 找 把 按 按照 据 据此 "
    "接着 故 整个 方面 无 无法 无论 既 既是 既然 时 时候 是 是否 是的 显然 更 更加 曾 曾经 替 最 "
    "最后 最近 有 有些 有关 有所 有时 有的 望 朝 本 本着 来 来自 来说 极 果然 某 某个 某些 根据 "
    "正 正在 正如 正是 此 此外 此时 每 每个 每当 比 比如 比较 毕竟 沿 没 没有 然 然后 然而 照 特别 "
    "现在 由 由于 由此 甚至 用 由是 略 的 的话 直到 相 相当 相对 看 看到 着 离 种 第 等 等等 管 "
    "紧接着 经 经过 结果 给 继续 罢了 者 而 而且 而后 而是 而言 能 能够 能否 自 自己 自从 自身 至 "
    "至于 若 若是 若非 莫 虽 虽然 虽说 被 要 要是 要求 觉得 许多 该 说 诸 诸如 谁 起 起来 趁 越 "
    "跟 较 达到 过 过去 还 还是 还有 还要 这 这个 这么 这些 这儿 这时 这样 这种 这里 进 进行 连 "
    "连同 通过 逐渐 通常 遵照 那 那个 那么 那些 那儿 那时 那样 那种 那里 部分 都 里 除 除了 除外 "
    "除非 随 随着 难道 非 非常 靠 顺 首先 "
    "a about after all also an and any are as at be been but by can could do for from had has have "
    "he her his how if in into is it its may more no not of on or our out she so some such than "
    "that the their them then there these they this to under up was we were what when which who "
    "will with would you your";

}  // namespace

void StopWords::Finish() {
  std::ranges::sort(words_);
  words_.erase(std::ranges::unique(words_).begin(), words_.end());
  StreamHash64 hash;
  for (const std::string& word : words_) hash.Add(word + "\n");
  id_ = fmt::format("{:016x}", hash.Finish());
}

const std::shared_ptr<const StopWords>& StopWords::Usual() {
  static const std::shared_ptr<const StopWords> usual = [] {
    const auto made = std::make_shared<StopWords>();
    for (size_t at = 0; at < kUsual.size();) {
      const size_t end = std::min(kUsual.find(' ', at), kUsual.size());
      made->words_.emplace_back(kUsual.substr(at, end - at));
      at = end + 1;
    }
    made->Finish();
    return made;
  }();
  return usual;
}

Result<std::shared_ptr<const StopWords>> StopWords::Parse(const UserFile& file) {
  const auto made = std::make_shared<StopWords>();
  const auto take = [&](const UserLine& line) -> Status {
    const std::string_view word = TrimBlanks(line.text);
    if (word.find_first_of(" \t") != std::string_view::npos) {
      return line.Fault("it has several words; write one a line");
    }
    made->words_.push_back(LowerAsciiOf(word));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(ForEachUserLine(file, UserComments::kHash, take));
  made->Finish();
  return std::shared_ptr<const StopWords>(made);
}

bool StopWords::Contains(std::string_view word) const {
  const bool has_capital = std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
  return has_capital ? std::ranges::binary_search(words_, LowerAsciiOf(word))
                     : std::ranges::binary_search(words_, word);
}

}  // namespace zhiwen
