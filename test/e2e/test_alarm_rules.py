"""The alarm rules against the worked examples of the CloudWatch user guide. Run: python -m unittest (standard library)."""

import unittest

from alarm_rules import (
    ALARM,
    INSUFFICIENT_DATA,
    OK,
    AlarmRule,
    Sample,
    datapoints,
    evaluate,
    lacks_samples,
    percentile,
    statistic_of,
    too_few_for_percentile,
)

RETAIN = "retain"
TREATMENTS = ("missing", "ignore", "breaching", "notBreaching")
STATES = (OK, ALARM, INSUFFICIENT_DATA)


def rule(**changes):
    values = {
        "statistic": "Maximum",
        "period": 60,
        "evaluation_periods": 3,
        "threshold": 10.0,
        "comparison": "GreaterThanThreshold",
    }
    return AlarmRule(**{**values, **changes})


def value(timestamp, number, count=1.0, unit="None"):
    return Sample(timestamp, count, number * count, number, number, unit)


def notation(text):
    """The guide's own notation, oldest first: 0 within the threshold, X breaching, - missing."""
    return [{"0": 1.0, "X": 99.0, "-": None}[token] for token in text.split()]


class MissingData(unittest.TestCase):
    """The two tables of "How alarm state is evaluated when data is missing": range 5, EvaluationPeriods 3."""

    def check(self, to_alarm, table):
        for row, expected in table:
            for treatment, wanted in zip(TREATMENTS, expected):
                for before in STATES:
                    with self.subTest(row=row, treatment=treatment, before=before):
                        alarm = rule(datapoints_to_alarm=to_alarm, treat_missing_data=treatment)
                        points = notation(row)
                        self.assertEqual(len(points), alarm.evaluation_range)
                        state = evaluate(alarm, points, before).state
                        self.assertEqual(state, before if wanted == RETAIN else wanted)

    def test_three_of_three(self):
        self.check(
            3,
            [
                ("0 - X - X", (OK, OK, OK, OK)),
                ("0 - - - -", (OK, OK, OK, OK)),
                ("- - - - -", (INSUFFICIENT_DATA, RETAIN, ALARM, OK)),
                ("0 X X - X", (ALARM, ALARM, ALARM, ALARM)),
                ("- - X - -", (ALARM, RETAIN, ALARM, OK)),
            ],
        )

    def test_two_of_three(self):
        self.check(
            2,
            [
                ("0 - X - X", (ALARM, ALARM, ALARM, ALARM)),
                ("0 0 X 0 X", (ALARM, ALARM, ALARM, ALARM)),
                ("0 - X - -", (OK, OK, ALARM, OK)),
                ("- - - - 0", (OK, OK, ALARM, OK)),
                ("- - - X -", (ALARM, RETAIN, ALARM, OK)),
            ],
        )

    def test_premature_transitions_are_avoided(self):
        alarm = rule(datapoints_to_alarm=3, treat_missing_data="missing")
        for row in ("- - - - X", "- - - X -"):
            for before in (OK, INSUFFICIENT_DATA):
                with self.subTest(row=row, before=before):
                    self.assertNotEqual(evaluate(alarm, notation(row), before).state, ALARM)

    def test_the_second_row_alarms_once_the_good_datapoint_has_left_the_range(self):
        alarm = rule(datapoints_to_alarm=3, treat_missing_data="breaching")
        self.assertEqual(evaluate(alarm, notation("0 - - - -"), OK).state, OK)
        self.assertEqual(evaluate(alarm, notation("- - - - -"), OK).state, ALARM)

    def test_an_unknown_treatment_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "TreatMissingData"):
            evaluate(rule(treat_missing_data="hope"), notation("- - - - -"), OK)


class Comparisons(unittest.TestCase):
    def test_at_below_and_above_the_threshold(self):
        table = {
            "GreaterThanOrEqualToThreshold": (OK, ALARM, ALARM),
            "GreaterThanThreshold": (OK, OK, ALARM),
            "LessThanThreshold": (ALARM, OK, OK),
            "LessThanOrEqualToThreshold": (ALARM, ALARM, OK),
        }
        for comparison, expected in table.items():
            for number, wanted in zip((9.0, 10.0, 11.0), expected):
                with self.subTest(comparison=comparison, number=number):
                    alarm = rule(comparison=comparison, evaluation_periods=1)
                    self.assertEqual(evaluate(alarm, [None, None, number], OK).state, wanted)

    def test_one_not_modelled_is_an_error_rather_than_ok(self):
        with self.assertRaisesRegex(ValueError, "LessThanLowerThreshold"):
            evaluate(rule(comparison="LessThanLowerThreshold"), notation("0 0 0 0 0"), OK)


class Statistics(unittest.TestCase):
    def test_values_counts_and_statistic_sets_add_up(self):
        samples = [value(0, 2.0, count=3.0), Sample(1, 4.0, 20.0, 1.0, 9.0)]
        expected = {"SampleCount": 7.0, "Sum": 26.0, "Average": 26.0 / 7, "Minimum": 1.0, "Maximum": 9.0}
        for statistic, wanted in expected.items():
            with self.subTest(statistic=statistic):
                self.assertAlmostEqual(statistic_of(samples, statistic), wanted)

    def test_no_samples_are_no_datapoint_and_never_zero(self):
        for statistic in ("SampleCount", "Sum", "Average", "Minimum", "Maximum", "p50"):
            self.assertIsNone(statistic_of([], statistic))
        self.assertIsNone(statistic_of([Sample(0, 0.0, 0.0, 0.0, 0.0)], "Average"))

    def test_percentiles_interpolate_and_weigh(self):
        spread = [value(0, float(number)) for number in (1, 2, 3, 4, 5)]
        self.assertEqual(percentile(spread, 0), 1.0)
        self.assertEqual(percentile(spread, 50), 3.0)
        self.assertEqual(percentile(spread, 100), 5.0)
        self.assertAlmostEqual(statistic_of(spread, "p90"), 4.6)
        self.assertEqual(percentile([value(0, 1.0, count=98.0), value(0, 9.0, count=2.0)], 99), 9.0)

    def test_percentiles_that_cloudwatch_does_not_have(self):
        self.assertIsNone(percentile([Sample(0, 2.0, 3.0, 1.0, 2.0)], 50))
        self.assertIsNone(percentile([value(0, -1.0)], 50))
        self.assertEqual(percentile([Sample(0, 3.0, 12.0, 4.0, 4.0)], 50), 4.0)

    def test_low_sample_counts(self):
        # The guide: p99 wants 1,000 samples.
        self.assertTrue(too_few_for_percentile(999, 99))
        self.assertFalse(too_few_for_percentile(1001, 99))
        self.assertTrue(too_few_for_percentile(99, 10))
        few = [value(100, 1.0)]
        self.assertTrue(lacks_samples(few, rule(statistic="p99", low_samples="ignore"), 120))
        self.assertFalse(lacks_samples(few, rule(statistic="p99"), 120))
        self.assertFalse(lacks_samples(few, rule(statistic="Maximum", low_samples="ignore"), 120))

    def test_one_not_modelled_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "tm90"):
            statistic_of([value(0, 1.0)], "tm90")


class Periods(unittest.TestCase):
    def test_samples_fall_into_the_periods_of_the_sliding_window(self):
        alarm = rule(evaluation_periods=1, period=10)
        samples = [value(69.9, 8.0), value(70, 1.0), value(79.9, 2.0), value(80, 3.0), value(99, 5.0), value(100, 7.0)]
        self.assertEqual(datapoints(samples, alarm, end=100), [2.0, 3.0, 5.0])
        self.assertEqual(datapoints(samples, alarm, end=101), [3.0, None, 7.0])

    def test_only_the_unit_of_the_alarm_counts(self):
        samples = [value(95, 1.0, unit="Count"), value(96, 9.0, unit="Seconds")]
        self.assertEqual(datapoints(samples, rule(evaluation_periods=1, period=10, unit="Count"), 100)[-1], 1.0)
        self.assertEqual(datapoints(samples, rule(evaluation_periods=1, period=10), 100)[-1], 9.0)


class Reasons(unittest.TestCase):
    def test_the_reason_names_numbers_and_threshold(self):
        verdict = evaluate(rule(datapoints_to_alarm=2), notation("0 - X - X"), OK)
        self.assertEqual(
            verdict.reason,
            "Threshold Crossed: 2 out of the last 3 datapoints [99.0, 99.0, 1.0] were greater than the threshold (10.0) "
            "(minimum 2 datapoints for OK -> ALARM transition).",
        )

    def test_the_reason_says_how_missing_data_was_treated(self):
        verdict = evaluate(rule(treat_missing_data="breaching"), notation("- - - - -"), OK)
        self.assertIn("no datapoints were received for 3 periods", verdict.reason)
        self.assertIn("[Breaching]", verdict.reason)
        self.assertTrue(evaluate(rule(), notation("- - - - -"), OK).reason.startswith("Insufficient Data"))


if __name__ == "__main__":
    unittest.main()
