"""What the launcher mends of Lambda in MiniStack: who calls, who called, what happens when a run fails, and its metrics."""

import base64
import hashlib
import inspect
import json
import time

from ministack.core import iam_evaluator, lambda_runtime
from ministack.core.responses import get_account_id
from ministack.services import eventbridge, lambda_svc, sns, sts

from mending import expect


def name_callers():
    """Gives each function credentials of its own, as its execution role has on AWS, so that its calls can be told apart.

    The session token says who calls, as base64url JSON: {functionName, functionArn, roleArn}. A session is registered
    with STS for the key, so GetCallerIdentity gives the assumed role.
    """
    expect(lambda_runtime, "execution_credentials", ["config"])

    def credentials(config):
        function_arn, role_arn, name = config["FunctionArn"], config.get("Role", ""), config["FunctionName"]
        account = function_arn.split(":")[4]
        caller = {"functionName": name, "functionArn": function_arn, "roleArn": role_arn}
        token = base64.urlsafe_b64encode(json.dumps(caller).encode()).decode().rstrip("=")
        digest = hashlib.sha256(f"{function_arn}:{role_arn}".encode()).hexdigest()
        key, secret = f"ASIA{digest[:16].upper()}", digest[16:56]
        role_name = role_arn.rsplit("/", 1)[-1]
        sts.register_session(
            key,
            {
                "Arn": f"arn:aws:sts::{account}:assumed-role/{role_name}/{name[:64]}",
                "UserId": f"{role_name}:{name[:64]}",
                "SecretAccessKey": secret,
                "SessionToken": token,
            },
        )
        return {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": token}

    lambda_runtime.execution_credentials = credentials
    lambda_svc.execution_credentials = credentials


def _access_key_of(headers):
    """The access key in a SigV4 `Authorization` header, or ''."""
    authorization = next((value for name, value in headers.items() if name.lower() == "authorization"), "")
    return authorization.partition("Credential=")[2].partition("/")[0]


def add_function_url_identity():
    """Adds `requestContext.authorizer.iam` to the event of a function URL with AWS_IAM.

    Shape: AWS Lambda developer guide, "Invoking Lambda function URLs", request payload format. The signature is not
    checked: whoever holds an access key id is believed.
    """
    wanted = [
        "url_id", "account_id", "region", "method", "path", "headers", "body", "query_params", "source_ip",
        "anonymous", "trace_root",
    ]  # fmt: skip
    expect(lambda_svc, "_build_function_url_event", wanted)
    original = lambda_svc._build_function_url_event

    def build(*args, **kwargs):
        event = original(*args, **kwargs)
        bound = inspect.signature(original).bind(*args, **kwargs)
        if bound.arguments.get("anonymous"):
            return event
        key = _access_key_of(bound.arguments["headers"])
        identity = iam_evaluator.resolve_caller_identity(key)
        account = get_account_id()
        arn = identity["userArn"] if identity else f"arn:aws:iam::{account}:root"
        user_id = identity["userId"] if identity else account
        event["requestContext"]["authentication"] = None
        event["requestContext"]["authorizer"] = {
            "iam": {
                "accessKey": key,
                "accountId": arn.split(":")[4],
                "callerId": user_id,
                "cognitoIdentity": None,
                "principalOrgId": None,
                "userArn": arn,
                "userId": user_id,
            }
        }
        return event

    lambda_svc._build_function_url_event = build


def _function_of(reference):
    """The execution record of a function by ARN or name; None where it is gone."""
    function, config, _ = lambda_svc._get_func_record_for_ref(reference)
    return lambda_svc._execution_record_for_config(function, config) if function and config else None


def retry_failed_events():
    """Has functions that a rule or a topic invokes tried three times in all, and then sends the event to their destination.

    AWS invokes them asynchronously (Lambda developer guide, "Error handling and automatic retries"); MiniStack runs them
    once and forgets a failure. The pauses are MiniStack's own setting, LAMBDA_ASYNC_RETRY_BASE_SECONDS.
    """
    expect(eventbridge, "_dispatch_to_lambda", ["arn", "payload"])
    wanted = ["endpoint", "envelope", "topic_arn", "sub_arn", "msg_id", "raw_message", "message_attributes"]
    expect(sns, "_deliver_to_lambda", wanted)

    def from_rule(arn, payload):
        record = _function_of(arn)
        if record is None:
            raise LookupError(f"the target {arn} is no function")
        lambda_svc.invoke_async_with_retry(record, json.loads(payload))

    def from_topic(endpoint, envelope, _topic_arn, sub_arn, _msg_id, _raw_message, _message_attributes):
        record = _function_of(endpoint)
        if record is None:
            raise LookupError(f"the subscriber {endpoint} is no function")
        notification = {
            "EventVersion": "1.0",
            "EventSubscriptionArn": sub_arn,
            "EventSource": "aws:sns",
            "Sns": json.loads(envelope),
        }
        lambda_svc.invoke_async_with_retry(record, {"Records": [notification]})

    eventbridge._dispatch_to_lambda = from_rule
    sns._deliver_to_lambda = from_topic


def publish_metrics_of_every_run():
    """Publishes AWS/Lambda metrics for every run; MiniStack does so only for Invoke, not for rules, topics and queues."""
    expect(lambda_svc, "_execute_function_dispatch", ["func", "config", "event", "request_id", "started"])
    expect(lambda_svc, "_emit_lambda_metrics", ["function_name", "duration_ms", "error", "throttle"])
    emit, run = lambda_svc._emit_lambda_metrics, lambda_svc._execute_function_dispatch

    def throttles_only(function_name, duration_ms, error, throttle):
        # Refused for want of concurrency; any other call repeats a run that is counted below.
        if throttle and duration_ms == 0.0:
            emit(function_name, duration_ms, error, throttle)

    def measured(func, config, event, request_id, started):
        begun = time.time()
        result = run(func, config, event, request_id, started)
        emit(config["FunctionName"], (time.time() - begun) * 1000, bool(result.get("error")), False)
        return result

    lambda_svc._emit_lambda_metrics = throttles_only
    lambda_svc._execute_function_dispatch = measured


def install():
    name_callers()
    add_function_url_identity()
    retry_failed_events()
    publish_metrics_of_every_run()
