#!/usr/bin/env bash
# Seen in peers: bulletins of one template, alike and about different days, are merged into one
# cluster.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

cities=(北京 上海 天津 重庆 广州 成都 武汉 西安 南京 杭州)
skies=(晴间多云 小雨转阴 雷阵雨 大雾渐散 中雪 多云转晴 沙尘 阵雨 冰雹 霜冻)
for ((i = 0; i < 100; i++)); do
  a=$((i % 10)) b=$((i / 10))
  record "day-$i" "${cities[a]}气象台$((b + 1))月$((a * 3 + 1))日发布天气预报，\
今天白天${skies[b]}，最高气温$((i * 7 % 40))度，\
夜间${skies[(a + b) % 10]}，最低气温$((i * 3 % 20))度，风力$((i % 8))级，请${cities[b]}方向的旅客注意${skies[a]}。"
done >"$work/series.jsonl"
dedup series
equals "$(kept series | count)" 100 "kept bulletins"
finish
