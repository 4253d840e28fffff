"""Starts MiniStack with, in memory, what the end-to-end tests need of AWS and MiniStack does not do. See gaps.md.

Settings (environment):
  GATEWAY_PORT, BIND_HOST, IOT_MTLS_ENABLED   MiniStack's own; the testbed gives a free port, 127.0.0.1 and 0
  TESTBED_MINUTE_SECONDS                      seconds that stand for a minute of AWS, for `rate(...)` schedules and for
                                              alarm periods and evaluations; 60 if left out

Each mend names what it replaces, and the launcher stops with a clear line where a new version no longer has that.
"""

import logging
import os
import sys

from ministack import app
from ministack.services import cloudwatch, eventbridge, scheduler
from ministack.services.cloudformation import provisioners

import alarm_timer
import function_mends
from mending import expect


def allow_aws_sources():
    """PutEvents refuses `aws.*` sources, as AWS does; the tests stand in for EC2, EKS and CloudTrail."""
    expect(eventbridge, "_put_events", ["data", "allow_aws_source"])
    original = eventbridge._put_events
    eventbridge._put_events = lambda data, allow_aws_source=True: original(data, True)


def scale_time(minute):
    """Lets `rate(...)` schedules of rules and of Scheduler count minutes of `minute` seconds. cron(...) is left alone."""
    expect(eventbridge, "_parse_rate_seconds", ["expr"])
    original = eventbridge._parse_rate_seconds

    def scaled(expression):
        seconds = original(expression)
        return None if seconds is None else seconds * minute / 60

    eventbridge._parse_rate_seconds = scaled
    # MiniStack looks every 10 s; a twentieth of a minute keeps the ticks of a schedule in their own periods.
    eventbridge._SCHEDULER_TICK_INTERVAL = min(1.0, minute / 20)
    scheduler._SCHEDULE_TICK_INTERVAL = min(1.0, minute / 20)


def add_composite_alarms():
    """Lets templates hold AWS::CloudWatch::CompositeAlarm, by way of PutCompositeAlarm."""
    if "AWS::CloudWatch::CompositeAlarm" in provisioners._RESOURCE_HANDLERS:
        sys.exit("MiniStack has AWS::CloudWatch::CompositeAlarm now: take it out of this launcher and of gaps.md")
    expect(cloudwatch, "_put_composite_alarm", ["params", "cbor_data", "is_cbor", "is_json"])

    def put(name, props):
        status, _, body = cloudwatch._put_composite_alarm({}, {**props, "AlarmName": name}, False, True)
        if status != 200:
            raise ValueError(body.decode())
        return name, {"Arn": cloudwatch._composite_alarms[name]["AlarmArn"]}

    def create(logical_id, props, stack_name):
        return put(props.get("AlarmName") or provisioners._physical_name(stack_name, logical_id, max_len=255), props)

    def update(physical_id, old_props, new_props, stack_name):
        if new_props.get("AlarmName", physical_id) != physical_id:
            raise ValueError("the replacement of a composite alarm is not modelled")
        return put(physical_id, new_props)

    def delete(physical_id, props):
        cloudwatch._composite_alarms.pop(physical_id, None)

    provisioners._RESOURCE_HANDLERS["AWS::CloudWatch::CompositeAlarm"] = {
        "create": create,
        "update": update,
        "delete": delete,
    }


def main():
    logging.basicConfig(level=os.environ.get("LOG_LEVEL", "INFO"))
    minute = float(os.environ.get("TESTBED_MINUTE_SECONDS", "60"))
    expect(cloudwatch, "_evaluate_alarm", ["alarm"])
    expect(cloudwatch, "_dispatch_alarm_actions", ["alarm", "old_state", "new_state", "reason"])
    allow_aws_sources()
    scale_time(minute)
    function_mends.install()
    add_composite_alarms()
    alarm_timer.install(minute)
    app.main()


if __name__ == "__main__":
    main()
