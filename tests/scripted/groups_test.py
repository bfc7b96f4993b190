"""Object groups: references to several members. Another one is tried where nothing can have been done, and only there."""

from tests.scripted.programs import KEY, ScriptedTest, in_every_variant
from tests.support import cdr, giop, ior
from tests.support.giop import Completion, Reply, Status
from tests.support.peer import Answering, unreachable

GROUP, PRIMARY = 27, 28


def group(order, number=1, version=1):
    return GROUP, cdr.encapsulation(order).put("octet", 1, 0).string("domain").put("ulonglong", number).put(
        "ulong", version).bytes()


def primary(order, yes=1):
    return PRIMARY, cdr.encapsulation(order).put("octet", yes).bytes()


def done(request):
    return Reply(request.request_id).message(request.message_read.minor, cdr.BIG)


def raising(name, completed=Completion.NO, order=cdr.BIG):
    def answer(request):
        minor, text = request.message_read.minor, giop.system_exception(order, name, 7, completed)
        return Reply(request.request_id, Status.SYSTEM_EXCEPTION, text).message(minor, order)
    return answer


class Groups(ScriptedTest):
    def member(self, answer=done):
        return self.enterContext(Answering(answer))

    def use(self, minor, order, *members, marked=None):
        """A client with a reference to these members, one of which may be marked as the primary."""
        client = self.client_of(members[0], order, minor)
        profiles = []
        for member in members:
            components = [group(order), primary(order)] if member is marked else [group(order)]
            profiles.append((0, member.profile(KEY, minor, components).encode(order)))
        client.use(ior.Ior("IDL:X:1.0", profiles).text(order))
        return client

    def assert_asked(self, counts, *members):
        self.assertEqual(counts, [len(member.received) for member in members])

    @in_every_variant(versions=[1, 2])
    def test_the_primary_is_asked_first_and_the_others_in_their_order(self, minor, order):
        members = [self.member() for _ in range(3)]
        client = self.use(minor, order, *members, marked=members[1])
        self.assertEqual(["", ""], [client.call("ping"), client.call("ping")])
        self.assert_asked([0, 2, 0], *members)
        client = self.use(minor, order, *members)
        self.assertEqual("", client.call("ping"))
        self.assert_asked([1, 2, 0], *members)

    @in_every_variant
    def test_what_was_not_done_is_asked_of_the_next_which_then_stays(self, minor, order):
        for name in ["TRANSIENT", "COMM_FAILURE", "NO_RESPONSE", "OBJ_ADAPTER"]:
            first, second = self.member(raising(name, order=order)), self.member()
            client = self.use(minor, order, first, second)
            self.assertEqual(["", ""], [client.call("ping"), client.call("ping")])
            self.assert_asked([1, 2], first, second)

    @in_every_variant
    def test_what_may_have_been_done_is_asked_of_nobody_else(self, minor, order):
        for completed in [Completion.MAYBE, Completion.YES]:
            first, second = self.member(raising("TRANSIENT", completed)), self.member()
            client = self.use(minor, order, first, second)
            self.assert_raised(client.call("ping"), "TRANSIENT", completed.name, 7)
            self.assert_asked([1, 0], first, second)

    @in_every_variant
    def test_what_the_member_itself_says_of_the_object_holds_for_all(self, minor, order):
        for name in ["OBJECT_NOT_EXIST", "NO_PERMISSION", "UNKNOWN", "BAD_OPERATION"]:
            first, second = self.member(raising(name)), self.member()
            client = self.use(minor, order, first, second)
            self.assert_raised(client.call("ping"), name, "NO", 7)
            self.assert_asked([1, 0], first, second)

    @in_every_variant
    def test_each_is_asked_once_and_the_last_ones_word_counts(self, minor, order):
        members = [self.member(raising("TRANSIENT")), self.member(raising("COMM_FAILURE")),
                   self.member(raising("OBJ_ADAPTER"))]
        client = self.use(minor, order, *members)
        self.assert_raised(client.call("ping"), "OBJ_ADAPTER", "NO", 7)
        self.assert_asked([1, 1, 1], *members)
        self.assert_raised(client.call("ping"), "COMM_FAILURE", "NO", 7)  # it begins with the one where it was
        self.assert_asked([2, 2, 2], *members)

    @in_every_variant
    def test_members_that_are_gone_are_passed_over(self, minor, order):
        second = self.member()
        with unreachable() as (host, port):
            client = self.use(minor, order, second)
            gone = ior.Profile(host, port, KEY, minor, [group(order), primary(order)]).encode(order)
            client.use(ior.Ior("IDL:X:1.0", [(0, gone), (0, second.profile(KEY, minor).encode(order)), (0, gone)]))
            self.assertEqual("", client.call("ping"))

    @in_every_variant
    def test_where_the_others_are_gone_that_is_said(self, minor, order):
        first = self.member(raising("OBJ_ADAPTER"))
        with unreachable() as (host, port):
            client = self.use(minor, order, first)
            gone = ior.Profile(host, port, KEY, minor).encode(order)
            client.use(ior.Ior("IDL:X:1.0", [(0, first.profile(KEY, minor).encode(order)), (0, gone)]))
            self.assert_raised(client.call("ping"), "TRANSIENT", "NO")
        self.assert_asked([1], first)

    @in_every_variant
    def test_a_lost_reply_is_told_and_the_next_call_goes_to_who_is_left(self, minor, order):
        first, second = self.member(), self.member()
        client = self.use(minor, order, first, second)
        self.assertEqual("", client.call("ping"))
        first.answer = lambda request: first.close()  # which gives None: the connection ends, and nobody listens
        self.assert_raised(client.call("ping"), "COMM_FAILURE", "MAYBE")
        self.assertEqual("", client.call("ping"))
        self.assert_asked([2, 1], first, second)

    @in_every_variant
    def test_a_forward_to_a_group_leads_to_its_members(self, minor, order):
        first, second = self.member(raising("TRANSIENT")), self.member()
        there = ior.Ior("IDL:X:1.0", [(0, m.profile(b"there", minor).encode(order)) for m in [first, second]])

        def forwarding(request):
            return Reply(request.request_id, Status.FORWARD, there.encode).message(minor, order)

        agent = self.member(forwarding)
        client = self.use(minor, order, agent)
        self.assertEqual(["", ""], [client.call("ping"), client.call("ping")])
        self.assert_asked([1, 1, 2], agent, first, second)

    @in_every_variant(versions=[1, 2])
    def test_components_that_cannot_be_read_mark_nothing(self, minor, order):
        for data in [b"", b"\2\1", b"\0", b"\1\2"]:
            first, second = self.member(), self.member()
            client = self.use(minor, order, first)
            profiles = [first.profile(KEY, minor, [(GROUP, data)]), second.profile(KEY, minor, [(PRIMARY, data)])]
            client.use(ior.Ior("IDL:X:1.0", [(0, p.encode(order)) for p in profiles]))
            self.assertEqual("", client.call("ping"))
            self.assert_asked([1, 0], first, second)
