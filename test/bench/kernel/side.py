"""One Python side of the kernel benchmark: `python3 side.py SIDE FILE` prints milliseconds and the digest of its answers as JSON.

FILE holds the data set as JSON: [{"cidr", "addresses", "prefixes"}]. Sides: bytearray (an expert's), ipaddress (the usual script's), netaddr.
"""
import ipaddress
import json
import socket
import struct
import sys
import time


def largest_of(free):
    largest, bits, level = 0, 28, free
    while True:
        if any(level):
            largest = bits
        if len(level) == 1:
            return largest
        level = [a and b for a, b in zip(level[::2], level[1::2])]
        bits -= 1


def by_bytearray(subnet):
    text, length = subnet["cidr"].split("/")
    base = struct.unpack("!I", socket.inet_aton(text))[0]
    size = 1 << (32 - int(length))
    held = bytearray(size)
    aton, unpack = socket.inet_aton, struct.unpack
    for address in subnet["addresses"]:
        held[unpack("!I", aton(address))[0] - base] = 1
    ones = b"\x01" * 16
    for prefix in subnet["prefixes"]:
        first = unpack("!I", aton(prefix[:-3]))[0] - base
        held[first : first + 16] = ones
    used = held.count(1)
    held[0:4] = b"\x01\x01\x01\x01"
    held[size - 1] = 1
    zeros = bytes(16)
    free = [held[i : i + 16] == zeros for i in range(0, size, 16)]
    return used, sum(free), largest_of(free)


def by_ipaddress(subnet):
    network = ipaddress.ip_network(subnet["cidr"])
    held = {ipaddress.ip_address(address) for address in subnet["addresses"]}
    for prefix in subnet["prefixes"]:
        held.update(ipaddress.ip_network(prefix))
    used = len(held)
    first = network.network_address
    held.update([first, first + 1, first + 2, first + 3, network.broadcast_address])
    if network.prefixlen == 28:
        blocks = [network]
    else:
        blocks = list(network.subnets(new_prefix=28))
    free = [not any(address in held for address in block) for block in blocks]
    return used, sum(free), largest_of(free)


def by_netaddr(subnet):
    import netaddr

    network = netaddr.IPNetwork(subnet["cidr"])
    held = netaddr.IPSet(subnet["addresses"] + subnet["prefixes"])
    used = len(held)
    first = network.first
    aws = netaddr.IPSet([netaddr.IPAddress(n) for n in (first, first + 1, first + 2, first + 3, network.last)])
    left = netaddr.IPSet([network]) - held - aws
    prefixes, largest = 0, 0
    for block in left.iter_cidrs():
        if block.prefixlen <= 28:
            prefixes += 1 << (28 - block.prefixlen)
            if largest == 0 or block.prefixlen < largest:
                largest = block.prefixlen
    return used, prefixes, largest


SIDES = {"bytearray": by_bytearray, "ipaddress": by_ipaddress, "netaddr": by_netaddr}


def digest(answers):
    value = 0
    for answer in answers:
        for number in answer:
            value = (value * 31 + number) & 0xFFFFFFFF
    return f"{len(answers)}:{value}"


def main():
    side = SIDES[sys.argv[1]]
    with open(sys.argv[2]) as file:
        subnets = json.load(file)
    times, answers, end = [], [], time.perf_counter() + 0.5
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        answers = [side(subnet) for subnet in subnets]
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    print(json.dumps({"ms": times[len(times) // 2], "digest": digest(answers)}))


if __name__ == "__main__":
    main()
