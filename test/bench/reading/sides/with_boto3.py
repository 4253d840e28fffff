"""The Python side of the reading benchmark: `python3 with_boto3.py SIDE URL VPCS` with boto3; same figures as side.ts.

boto3: paginator and ipaddress, one page after the other, as the usual script has it. boto3-pages: the paginator alone, processor time.
"""
import ipaddress
import json
import resource
import sys
import time

import boto3
from botocore.config import Config

side, url, vpcs = sys.argv[1], sys.argv[2], int(sys.argv[3])
client = boto3.client(
    "ec2",
    region_name="us-east-1",
    endpoint_url=url,
    aws_access_key_id="bench",
    aws_secret_access_key="bench",
    config=Config(retries={"max_attempts": 1}),
)
vpc_ids = ["vpc-0%016x" % index for index in range(vpcs)]


def interfaces(vpc):
    pages = client.get_paginator("describe_network_interfaces").paginate(
        Filters=[{"Name": "vpc-id", "Values": [vpc]}], PaginationConfig={"PageSize": 1000}
    )
    for page in pages:
        yield from page["NetworkInterfaces"]


def largest_of(free):
    largest, bits, level = 0, 28, free
    while True:
        if any(level):
            largest = bits
        if len(level) == 1:
            return largest
        level = [a and b for a, b in zip(level[::2], level[1::2])]
        bits -= 1


def whole_region():
    subnets = sorted(client.describe_subnets()["Subnets"], key=lambda subnet: subnet["SubnetId"])
    held = {subnet["SubnetId"]: set() for subnet in subnets}
    for vpc in vpc_ids:
        for eni in interfaces(vpc):
            own = held[eni["SubnetId"]]
            own.update(ipaddress.ip_address(entry["PrivateIpAddress"]) for entry in eni["PrivateIpAddresses"])
            for entry in eni.get("Ipv4Prefixes", []):
                own.update(ipaddress.ip_network(entry["Ipv4Prefix"]))
    value = 0
    for subnet in subnets:
        network = ipaddress.ip_network(subnet["CidrBlock"])
        own = held[subnet["SubnetId"]]
        used = len(own)
        first = network.network_address
        own.update([first, first + 1, first + 2, first + 3, network.broadcast_address])
        free = [not any(address in own for address in block) for block in network.subnets(new_prefix=28)]
        for number in (used, sum(free), largest_of(free)):
            value = (value * 31 + number) & 0xFFFFFFFF
    return f"{len(subnets)}:{value}"


def count(vpc):
    return sum(len(eni["PrivateIpAddresses"]) + 16 * len(eni.get("Ipv4Prefixes", [])) for eni in interfaces(vpc))


if side == "boto3-pages":
    for vpc in vpc_ids[:2]:
        count(vpc)
    before = time.process_time()
    addresses = sum(count(vpc) for vpc in vpc_ids[2:])
    print(json.dumps({"ms": (time.process_time() - before) * 1000, "digest": str(addresses)}))
else:
    start, before = time.perf_counter(), time.process_time()
    answer = whole_region()
    print(
        json.dumps(
            {
                "ms": (time.perf_counter() - start) * 1000,
                "cpuMs": (time.process_time() - before) * 1000,
                "peakMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "digest": answer,
            }
        )
    )
