"""Has MiniStack's metric alarms evaluated by alarm_rules, on a timer, with the messages that CloudWatch sends.

Replaces, in MiniStack's `services.cloudwatch`: the evaluation (which looks at no dimensions, no M of N and no missing
data, and only when data comes), and the notification (whose JSON lacks the alarm's ARN, and which tells EventBridge
nothing). What happens around a change of state (history, composite alarms) stays MiniStack's own.
"""

import json
import logging
import threading
import time
from datetime import datetime, timezone

from ministack.core.responses import get_account_id, get_region, set_request_account_id, set_request_region
from ministack.services import cloudwatch, eventbridge, sns, sqs
from ministack.core.responses import new_uuid

import alarm_rules

logger = logging.getLogger("testbed.alarms")

# The long names CloudWatch writes into `Region`, for the regions the tests use; any other is given by its id.
_REGION_NAMES = {
    "us-east-1": "US East (N. Virginia)",
    "eu-west-1": "EU (Ireland)",
    "eu-central-1": "EU (Frankfurt)",
}

_ACTIONS_BY_STATE = {
    "ALARM": "AlarmActions",
    "OK": "OKActions",
    "INSUFFICIENT_DATA": "InsufficientDataActions",
}

_lock = threading.RLock()


def _instant(seconds):
    """`2026-11-30T12:00:00.123+0000`, as CloudWatch writes it."""
    moment = datetime.fromtimestamp(seconds, tz=timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}+0000"


def _rule_of(alarm, minute):
    return alarm_rules.AlarmRule(
        statistic=alarm.get("ExtendedStatistic") or alarm.get("Statistic") or "Average",
        period=float(alarm.get("Period") or 60) * minute / 60,
        evaluation_periods=int(alarm.get("EvaluationPeriods") or 1),
        threshold=float(alarm.get("Threshold") or 0),
        comparison=alarm.get("ComparisonOperator") or "",
        datapoints_to_alarm=alarm.get("DatapointsToAlarm"),
        # "Alarms that evaluate metrics in the AWS/DynamoDB namespace always ignore missing data."
        treat_missing_data="ignore"
        if alarm.get("Namespace") == "AWS/DynamoDB"
        else alarm.get("TreatMissingData") or "missing",
        low_samples=alarm.get("EvaluateLowSampleCountPercentile") or "evaluate",
        unit=alarm.get("Unit"),
    )


def _samples_of(alarm):
    """The samples of exactly the alarm's metric: the same namespace, name and whole set of dimensions."""
    dimensions = {d["Name"]: d["Value"] for d in alarm.get("Dimensions") or []}
    key = (alarm.get("Namespace"), alarm.get("MetricName"), cloudwatch._dims_key(dimensions))
    samples = []
    for point in list(cloudwatch._metrics.get(key) or []):
        count, total, minimum, maximum = cloudwatch._point_stats(point)
        samples.append(
            alarm_rules.Sample(point["Timestamp"], count, total, minimum, maximum, point.get("Unit") or "None")
        )
    return samples


def _evaluate(alarm, end, minute):
    if not alarm.get("Namespace") or not alarm.get("MetricName"):
        return
    rule = _rule_of(alarm, minute)
    samples = _samples_of(alarm)
    if alarm_rules.lacks_samples(samples, rule, end):
        return
    points = alarm_rules.datapoints(samples, rule, end)
    before = alarm["StateValue"]
    verdict = alarm_rules.evaluate(rule, points, before)
    if verdict.state == before:
        return
    now = time.time()
    alarm["_PreviousState"] = {
        "value": before,
        "reason": alarm.get("StateReason", ""),
        "timestamp": _instant(alarm.get("StateUpdatedTimestamp") or now),
    }
    alarm["StateValue"] = verdict.state
    alarm["StateReason"] = verdict.reason
    alarm["StateReasonData"] = json.dumps(
        {
            "version": "1.0",
            "queryDate": _instant(now),
            "period": int(alarm.get("Period") or 60),
            "recentDatapoints": list(verdict.datapoints),
            "threshold": rule.threshold,
        }
    )
    alarm["StateUpdatedTimestamp"] = int(now)
    alarm["StateTransitionedTimestamp"] = int(now)
    logger.info("%s: %s -> %s: %s", alarm["AlarmName"], before, verdict.state, verdict.reason)
    cloudwatch._record_history(alarm["AlarmName"], before, verdict.state, verdict.reason)
    cloudwatch._dispatch_alarm_actions(alarm, before, verdict.state, verdict.reason)
    cloudwatch._evaluate_parent_alarms(alarm)


def _message(alarm, before, state, reason):
    """The alarm as CloudWatch writes it to SNS."""
    message = {
        "AlarmName": alarm["AlarmName"],
        "AlarmDescription": alarm.get("AlarmDescription") or None,
        "AWSAccountId": get_account_id(),
        "AlarmConfigurationUpdatedTimestamp": _instant(alarm.get("AlarmConfigurationUpdatedTimestamp") or time.time()),
        "NewStateValue": state,
        "NewStateReason": reason,
        "StateChangeTime": _instant(time.time()),
        "Region": _REGION_NAMES.get(get_region(), get_region()),
        "AlarmArn": alarm["AlarmArn"],
        "OldStateValue": before,
        "OKActions": alarm.get("OKActions") or [],
        "AlarmActions": alarm.get("AlarmActions") or [],
        "InsufficientDataActions": alarm.get("InsufficientDataActions") or [],
    }
    if "AlarmRule" in alarm:
        children = json.loads(alarm.get("StateReasonData") or "{}").get("triggeringAlarms", [])
        message["AlarmRule"] = alarm["AlarmRule"]
        message["TriggeringChildren"] = [
            {"Arn": child["arn"], "State": {"Value": child["state"]["value"], "Timestamp": child["state"]["timestamp"]}}
            for child in children
        ]
        return message
    extended = alarm.get("ExtendedStatistic")
    statistic = (
        {"StatisticType": "ExtendedStatistic", "ExtendedStatistic": extended}
        if extended
        else {"StatisticType": "Statistic", "Statistic": (alarm.get("Statistic") or "Average").upper()}
    )
    message["Trigger"] = {
        "MetricName": alarm.get("MetricName"),
        "Namespace": alarm.get("Namespace"),
        **statistic,
        "Unit": alarm.get("Unit"),
        "Dimensions": [{"value": d["Value"], "name": d["Name"]} for d in alarm.get("Dimensions") or []],
        "Period": alarm.get("Period"),
        "EvaluationPeriods": alarm.get("EvaluationPeriods"),
        **({"DatapointsToAlarm": alarm["DatapointsToAlarm"]} if alarm.get("DatapointsToAlarm") else {}),
        "ComparisonOperator": alarm.get("ComparisonOperator"),
        "Threshold": alarm.get("Threshold"),
        "TreatMissingData": alarm.get("TreatMissingData") or "missing",
        "EvaluateLowSampleCountPercentile": alarm.get("EvaluateLowSampleCountPercentile") or "",
    }
    return message


def _event(alarm, before, state, reason):
    """The detail of `CloudWatch Alarm State Change`."""
    configuration = {"description": alarm.get("AlarmDescription") or ""}
    if "AlarmRule" in alarm:
        configuration["alarmRule"] = alarm["AlarmRule"]
    else:
        configuration["metrics"] = [
            {
                "id": "m1",
                "metricStat": {
                    "metric": {
                        "namespace": alarm.get("Namespace"),
                        "name": alarm.get("MetricName"),
                        "dimensions": {d["Name"]: d["Value"] for d in alarm.get("Dimensions") or []},
                    },
                    "period": alarm.get("Period"),
                    "stat": alarm.get("ExtendedStatistic") or alarm.get("Statistic"),
                },
                "returnData": True,
            }
        ]
    return {
        "alarmName": alarm["AlarmName"],
        "state": {
            "value": state,
            "reason": reason,
            "reasonData": alarm.get("StateReasonData") or "",
            "timestamp": _instant(time.time()),
        },
        "previousState": alarm.pop("_PreviousState", None) or {"value": before},
        "configuration": configuration,
    }


def _dispatch(alarm, before, state, reason):
    """Tells EventBridge, and, where actions are enabled, the SNS topics of the new state."""
    event = {
        "Source": "aws.cloudwatch",
        "DetailType": "CloudWatch Alarm State Change",
        "Detail": json.dumps(_event(alarm, before, state, reason)),
        "Resources": [alarm["AlarmArn"]],
    }
    eventbridge._put_events({"Entries": [event]}, allow_aws_source=True)
    if not alarm.get("ActionsEnabled", True):
        return
    message = json.dumps(_message(alarm, before, state, reason))
    region = _REGION_NAMES.get(get_region(), get_region())
    subject = f'{state}: "{alarm["AlarmName"]}" in {region}'[:100]
    for action in alarm.get(_ACTIONS_BY_STATE[state]) or []:
        if cloudwatch._is_sns_action_arn(action):
            sns._fanout(action, new_uuid(), message, subject)
        else:
            logger.error("%s: the action %s is not modelled", alarm["AlarmName"], action)


def _publish_queue_depths():
    """What SQS publishes each minute for its queues, as far as alarms use it; MiniStack publishes nothing of it."""
    for (account, region, _), queue in list(sqs._queues._data.items()):
        set_request_account_id(account)
        set_request_region(region)
        sqs._refresh_counts(queue)
        attributes = queue["attributes"]
        dimensions = {"QueueName": attributes["QueueArn"].rsplit(":", 1)[-1]}
        for name in (
            "ApproximateNumberOfMessagesVisible",
            "ApproximateNumberOfMessagesNotVisible",
            "ApproximateNumberOfMessagesDelayed",
        ):
            attribute = "ApproximateNumberOfMessages" if name.endswith("sVisible") else name
            cloudwatch.record_metric("AWS/SQS", name, float(attributes[attribute]), "Count", dimensions)


def evaluate_all(minute):
    """One evaluation of every metric alarm of every account and region, over periods that end at the last full minute."""
    with _lock:
        end = time.time() // minute * minute
        for (account, region, name), alarm in list(cloudwatch._alarms._data.items()):
            set_request_account_id(account)
            set_request_region(region)
            try:
                _evaluate(alarm, end, minute)
            except Exception:
                logger.exception("the alarm %s could not be evaluated", name)


def _loop(minute):
    while True:
        # Just after the boundary, so that the datapoints of the minute that ended are in.
        now = time.time()
        time.sleep((now // minute + 1) * minute - now + minute / 20)
        try:
            _publish_queue_depths()
            evaluate_all(minute)
        except Exception:
            logger.exception("the alarms were not evaluated")


def install(minute):
    """Replaces evaluation and notification, and starts the timer. `minute`: seconds that stand for a minute of AWS."""
    cloudwatch._evaluate_alarm = lambda alarm: None
    cloudwatch._dispatch_alarm_actions = _dispatch
    threading.Thread(target=_loop, args=(minute,), daemon=True, name="testbed-alarms").start()
