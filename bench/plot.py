"""Line charts as SVG, for documents: a few series, axes from zero, no library."""

from __future__ import annotations

import html
import math

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 44, 56
COLOURS = ("#1f6feb", "#d1483f", "#2f8f4e", "#8a5cd1", "#b07d00")
MARKS = ("circle", "square", "diamond", "circle", "square")

Points = list[tuple[float, float]]


def lines(title: str, x: str, y: str, series: dict[str, Points]) -> str:
    """An SVG of `series` by name; `x` and `y` are the titles of the axes, with their units."""
    points = [point for of_one in series.values() for point in of_one]
    x_step, x_end = _steps(max((p[0] for p in points), default=1))
    y_step, y_end = _steps(max((p[1] for p in points), default=1))

    def place(point: tuple[float, float]) -> tuple[float, float]:
        across = LEFT + point[0] / x_end * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - point[1] / y_end * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="13"><title>{html.escape(title)}</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFT, 24, title, 'font-size="16"'),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x, 'text-anchor="middle"'),
        _text(16, HEIGHT / 2, y, f'text-anchor="middle" transform="rotate(-90 16 {HEIGHT / 2})"'),
    ]
    for value in _ticks(x_step, x_end):
        across, up = place((value, 0))
        out.append(_text(across, up + 20, f"{value:g}", 'text-anchor="middle"'))
    for value in _ticks(y_step, y_end):
        across, up = place((0, value))
        out.append(
            f'<line x1="{across}" y1="{up:.1f}" x2="{WIDTH - RIGHT}" y2="{up:.1f}" stroke="#ddd"/>'
        )
        out.append(_text(across - 8, up + 4, f"{value:g}", 'text-anchor="end"'))
    for number, (name, of_one) in enumerate(series.items()):
        out += _series(number, name, [place(point) for point in sorted(of_one)])
    return "\n".join([*out, "</svg>", ""])


def _series(number: int, name: str, points: Points) -> list[str]:
    colour = COLOURS[number % len(COLOURS)]
    mark = MARKS[number % len(MARKS)]
    path = " ".join(f"{across:.1f},{up:.1f}" for across, up in points)
    level = TOP + 10 + 20 * number
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(_mark(mark, across, up, colour) for across, up in [*points, (LEFT + 18, level)]),
        _text(LEFT + 30, level + 4, name),
    ]


def _mark(kind: str, across: float, up: float, colour: str) -> str:
    if kind == "circle":
        return f'<circle cx="{across:.1f}" cy="{up:.1f}" r="4" fill="{colour}"/>'
    turn = f' transform="rotate(45 {across:.1f} {up:.1f})"' if kind == "diamond" else ""
    return (
        f'<rect x="{across - 4:.1f}" y="{up - 4:.1f}" width="8" height="8" '
        f'fill="{colour}"{turn}/>'
    )


def _text(across: float, up: float, text: str, more: str = "") -> str:
    return f'<text x="{across:.1f}" y="{up:.1f}" {more}>{html.escape(text)}</text>'


def _steps(highest: float) -> tuple[float, float]:
    """A round distance of ticks, and the end of the axis."""
    power = 10.0 ** math.floor(math.log10(highest)) if highest > 0 else 1.0
    step = next(s * power for s in (0.2, 0.5, 1, 2) if highest / (s * power) <= 6)
    return step, step * math.ceil(highest / step - 1e-9)


def _ticks(step: float, end: float) -> list[float]:
    return [step * i for i in range(round(end / step) + 1)]
