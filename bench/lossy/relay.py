"""
Joins two network namespaces by a line with latency and loss: two tun devices, the second of which moves to the
namespace of another process. What is sent into one comes out of the other, later or never.

    python3 relay.py <device here> <device there> <pid of a process there> <ms each way> <share lost> <seed>

It is in Python because a tun device takes an ioctl, which Node doesn't have. It prints a line when both devices are
there, and the numbers of packets sent and lost when its input ends.
"""

import collections
import fcntl
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
PACKET_BYTES = 65_536
# Packets that wait for the relay: enough that it loses none but those that it means to lose.
QUEUE_LENGTH = 10_000


def open_device(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    subprocess.run(["ip", "link", "set", name, "txqueuelen", str(QUEUE_LENGTH)], check=True)
    return device


def packets_of(device):
    """Reads all packets that wait in a device."""
    while True:
        try:
            yield os.read(device, PACKET_BYTES)
        except OSError:  # It is empty, or not up yet.
            return


def relay(here, there, delay, loss, draw):
    """Passes packets on until standard input ends. Returns how many were sent, and how many lost."""
    other = {here: there, there: here}
    waiting = collections.deque()
    sent = lost = 0
    poll = select.epoll()
    for source in (here, there, sys.stdin.fileno()):
        poll.register(source, select.EPOLLIN)
    while True:
        timeout = max(0, waiting[0][0] - time.monotonic()) if waiting else -1
        for source, _ in poll.poll(timeout):
            if source not in other:
                return sent, lost
            due = time.monotonic() + delay
            for packet in packets_of(source):
                sent += 1
                if draw.random() < loss:
                    lost += 1
                else:
                    waiting.append((due, other[source], packet))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, target, packet = waiting.popleft()
            try:
                os.write(target, packet)
            except OSError:  # The device is gone, or not up yet.
                lost += 1


def main():
    near, far, pid, delay, loss, seed = sys.argv[1:]
    here, there = open_device(near), open_device(far)
    subprocess.run(["ip", "link", "set", far, "netns", pid], check=True)
    print("ready", flush=True)
    sent, lost = relay(here, there, float(delay) / 1_000, float(loss), random.Random(int(seed)))
    print(sent, lost, flush=True)


main()
