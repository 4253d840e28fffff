"""The rules by which a CloudWatch metric alarm chooses its state: pure functions, no clock, no emulator.

Written from the CloudWatch user guide, chapter "Using Amazon CloudWatch alarms":
- "Evaluating an alarm": N periods, M datapoints to alarm; a sliding window, which moves with each evaluation.
- "Configuring how CloudWatch alarms treat missing data", with its parts "How alarm state is evaluated when data is
  missing" (the evaluation range; the tables that test_alarm_rules.py repeats) and "Avoiding premature transitions to
  alarm state".
- "Percentile-based CloudWatch alarms and low data samples".
- "Statistics definitions": a percentile of statistic sets exists only where a set stands for one repeated value, and
  never where a value is negative.

The guide leaves two things open, and this module decides them so:
- the length of the evaluation range is only exemplified (N = 3 gives 5): it is N + 2 here;
- "missing", with only breaching datapoints that are too few and too young to alarm, "does not go immediately into
  ALARM": it becomes OK here, since M breaching datapoints were not seen.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

OK = "OK"
ALARM = "ALARM"
INSUFFICIENT_DATA = "INSUFFICIENT_DATA"

# Periods looked at beyond EvaluationPeriods, from the guide's example: 3 periods, an evaluation range of 5.
EXTRA_PERIODS = 2

_COMPARISONS = {
    "GreaterThanOrEqualToThreshold": (lambda value, threshold: value >= threshold, "greater than or equal to"),
    "GreaterThanThreshold": (lambda value, threshold: value > threshold, "greater than"),
    "LessThanThreshold": (lambda value, threshold: value < threshold, "less than"),
    "LessThanOrEqualToThreshold": (lambda value, threshold: value <= threshold, "less than or equal to"),
}

_PERCENTILE = re.compile(r"^[pP](\d{1,3}(?:\.\d+)?)$")


@dataclass(frozen=True)
class Sample:
    """What one PutMetricData datum says: a value seen `count` times (minimum == maximum), or a statistic set."""

    timestamp: float
    count: float
    total: float
    minimum: float
    maximum: float
    unit: str = "None"


@dataclass(frozen=True)
class AlarmRule:
    """The part of a metric alarm that decides its state. `period` in seconds; `statistic` basic or `p<0-100>`."""

    statistic: str
    period: float
    evaluation_periods: int
    threshold: float
    comparison: str
    datapoints_to_alarm: Optional[int] = None
    treat_missing_data: str = "missing"
    low_samples: str = "evaluate"
    unit: Optional[str] = None

    @property
    def to_alarm(self) -> int:
        return self.datapoints_to_alarm or self.evaluation_periods

    @property
    def evaluation_range(self) -> int:
        return self.evaluation_periods + EXTRA_PERIODS


@dataclass(frozen=True)
class Verdict:
    """The state an evaluation gives (that of before where it is kept), why, and the datapoints it stood on, newest first."""

    state: str
    reason: str
    datapoints: tuple


def percentile(samples: Sequence[Sample], rank: float) -> Optional[float]:
    """The percentile `rank` (0 to 100) of the samples, interpolated between neighbours; None where CloudWatch has none."""
    weighted = []
    for sample in samples:
        single = sample.minimum == sample.maximum and math.isclose(sample.total, sample.minimum * sample.count)
        if not single or sample.minimum < 0:
            return None
        weighted.append((sample.minimum, sample.count))
    weighted.sort()
    size = sum(count for _, count in weighted)
    if size <= 0:
        return None
    position = rank / 100 * max(size - 1, 0)

    def value_at(index: float) -> float:
        seen = 0.0
        for value, count in weighted:
            seen += count
            if index < seen:
                return value
        return weighted[-1][0]

    below = math.floor(position)
    share = position - below
    return value_at(below) + share * (value_at(below + 1) - value_at(below))


def too_few_for_percentile(count: float, rank: float) -> bool:
    """Whether `count` samples are too few for a percentile to mean anything ("... and low data samples")."""
    share = rank / 100
    if share in (0.0, 1.0):
        return False
    return count < (10 / (1 - share) if share >= 0.5 else 10 / share)


def statistic_of(samples: Sequence[Sample], statistic: str) -> Optional[float]:
    """One statistic over the samples of a period; None where there are none, or no such percentile."""
    present = [sample for sample in samples if sample.count > 0]
    if not present:
        return None
    count = sum(sample.count for sample in present)
    total = sum(sample.total for sample in present)
    match = _PERCENTILE.match(statistic)
    if match:
        return percentile(present, float(match.group(1)))
    basic = {
        "SampleCount": count,
        "Sum": total,
        "Average": total / count,
        "Minimum": min(sample.minimum for sample in present),
        "Maximum": max(sample.maximum for sample in present),
    }
    if statistic not in basic:
        raise ValueError(f"statistic {statistic} is not modelled")
    return basic[statistic]


def datapoints(samples: Iterable[Sample], rule: AlarmRule, end: float) -> list:
    """The datapoints of the evaluation range that ends (excluded) at `end`, oldest first; None where one is missing."""
    periods: list = [[] for _ in range(rule.evaluation_range)]
    start = end - rule.period * rule.evaluation_range
    for sample in samples:
        if rule.unit and sample.unit != rule.unit:
            continue
        if start <= sample.timestamp < end:
            index = min(int((sample.timestamp - start) // rule.period), rule.evaluation_range - 1)
            periods[index].append(sample)
    return [statistic_of(period, rule.statistic) for period in periods]


def lacks_samples(samples: Iterable[Sample], rule: AlarmRule, end: float) -> bool:
    """Whether the alarm is to be left alone: a percentile with `ignore` and too few samples in the evaluation periods."""
    match = _PERCENTILE.match(rule.statistic)
    if not match or rule.low_samples != "ignore":
        return False
    start = end - rule.period * rule.evaluation_periods
    count = sum(sample.count for sample in samples if start <= sample.timestamp < end)
    return too_few_for_percentile(count, float(match.group(1)))


def breaches(value: float, rule: AlarmRule) -> bool:
    if rule.comparison not in _COMPARISONS:
        raise ValueError(f"comparison {rule.comparison} is not modelled")
    return _COMPARISONS[rule.comparison][0](value, rule.threshold)


def evaluate(rule: AlarmRule, points: Sequence[Optional[float]], state: str) -> Verdict:
    """The state that the datapoints of the evaluation range (oldest first, None: missing) give an alarm now in `state`."""
    # Age 1 is the newest period.
    real = [(len(points) - index, value) for index, value in enumerate(points) if value is not None]
    newest = real[-rule.evaluation_periods :]
    to_fill = rule.evaluation_periods - len(newest)
    breaching = [age for age, value in newest if breaches(value, rule)]
    seen = tuple(value for _, value in reversed(newest))
    next_state = _decide(rule, len(newest), breaching, to_fill, state)
    return Verdict(next_state, _reason(rule, seen, len(breaching), to_fill, next_state), seen)


def _decide(rule: AlarmRule, real: int, breaching: Sequence[int], to_fill: int, state: str) -> str:
    if len(breaching) >= rule.to_alarm:
        return ALARM
    if to_fill == 0:
        return OK
    if rule.treat_missing_data == "breaching":
        return ALARM if len(breaching) + to_fill >= rule.to_alarm else OK
    if rule.treat_missing_data == "notBreaching":
        return OK
    if rule.treat_missing_data not in ("ignore", "missing"):
        raise ValueError(f"TreatMissingData {rule.treat_missing_data} is not one of the four treatments")
    if len(breaching) < real:
        # A datapoint within the threshold was seen, and too few beyond it.
        return OK
    if rule.treat_missing_data == "ignore":
        return state
    if real == 0:
        return INSUFFICIENT_DATA
    # "Avoiding premature transitions": all there is breaches, and the oldest is old enough.
    return ALARM if max(breaching) >= rule.to_alarm else OK


def _reason(rule: AlarmRule, seen: Sequence[float], breaching: int, to_fill: int, state: str) -> str:
    needed = f"(minimum {rule.to_alarm} datapoint{'s' if rule.to_alarm > 1 else ''} for OK -> ALARM transition)"
    if not seen:
        missing = f"no datapoints were received for {to_fill} period{'s' if to_fill > 1 else ''}"
        if state == INSUFFICIENT_DATA:
            return f"Insufficient Data: {missing}."
        treated = {"breaching": "[Breaching]", "notBreaching": "[NonBreaching]"}.get(rule.treat_missing_data, "[Ignored]")
        return f"Threshold Crossed: {missing} and missing datapoints were treated as {treated}."
    words = _COMPARISONS[rule.comparison][1]
    listed = ", ".join(str(value) for value in seen)
    many = len(seen) > 1
    verb = ("were" if many else "was") + ("" if breaching else " not")
    count = f"{breaching} out of the last {len(seen)} datapoints" if breaching else f"{len(seen)} datapoint{'s' if many else ''}"
    return f"Threshold Crossed: {count} [{listed}] {verb} {words} the threshold ({rule.threshold}) {needed}."
