# Reads {"packages", "resolver", "spf": [{"domain", "record", "address"}], "dmarc": [{"domain", "record"}]} and writes what
# pyspf says of each sender, and 0 for each DMARC record that libopendmarc can read.

import ctypes
import json
import sys

asked = json.load(sys.stdin)
sys.path.insert(0, asked["packages"])
# pyspf then asks by py3dns, whose resolver can be said.
sys.modules["dns"] = None
import DNS
import spf

DNS.defaults["server"] = [asked["resolver"]]
# Otherwise py3dns gives answers for xn-- names another name than pyspf asked for.
DNS.LABEL_ENCODING = "ascii"


def judge_spf(domain, record, address):
    query = spf.query(i=address, s="postmaster@" + domain, h="mail." + domain)
    return query.check(spf=record)[0]


opendmarc = ctypes.CDLL("libopendmarc.so.2")
opendmarc.opendmarc_policy_connect_init.restype = ctypes.c_void_p
opendmarc.opendmarc_policy_connect_init.argtypes = [ctypes.c_char_p, ctypes.c_int]
opendmarc.opendmarc_policy_parse_dmarc.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]


def judge_dmarc(domain, record):
    connection = opendmarc.opendmarc_policy_connect_init(b"192.0.2.1", 0)
    return opendmarc.opendmarc_policy_parse_dmarc(connection, domain.encode(), record.encode())


json.dump(
    {
        "spf": [judge_spf(**one) for one in asked["spf"]],
        "dmarc": [judge_dmarc(**one) for one in asked["dmarc"]],
    },
    sys.stdout,
)
