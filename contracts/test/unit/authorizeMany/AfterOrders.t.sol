// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {BatchFixture} from "../../fixtures/BatchFixture.sol";

/// @notice A batch after orders of the exchange, which only the sender of a transaction measures.
contract AfterOrdersTest is BatchFixture {
    bytes32[] private keys;

    function setUp() public override {
        super.setUp();
        keys = openSeveral(11, 2);
        requestClose(keys[0], 600e6, 0);
        requestClose(keys[1], 600e6, 0);
    }

    function test_order_of_the_exchange_is_measured_and_replaced() public {
        fillHalf(keys[0]);
        skip(1);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        (b.observedAt, b.members[0].mostUnits) = (uint64(block.timestamp), 300e6);
        assertEq(authorizeMany(b), 2, "granted");
        assertEq(vault.positionOf(keys[0]).tokenUnits, 300e6, "what it sold is booked");
        assertEq(vault.liveOrderOf(keys[0]).orderHash, 0, "a grant");
        assertAllowancesOff(keys[0]);
        assertSolvent();
    }

    function test_order_of_the_exchange_stands_where_its_member_is_refused() public {
        fillHalf(keys[0]);
        skip(1);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        b.observedAt = uint64(block.timestamp);
        b.members[0].mostUnits = 300e6 + 1;
        bytes32 orderHash = vault.liveOrderOf(keys[0]).orderHash;
        refuseMember(b, 0, IVault.OrderAmountOutOfRange.selector);
        assertEq(authorizeMany(b), 1, "the other");
        assertTrue(vault.isLiveOrder(keys[0], orderHash), "still signed for");
        assertTrue(tokens.isApprovedForAll(vault.accountOf(keys[0]), address(exchange)), "and allowed");
    }

    function test_inside_a_call_only_its_member_is_refused() public {
        fillHalf(keys[0]);
        skip(1);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        (b.observedAt, b.members[0].mostUnits) = (uint64(block.timestamp), 300e6);
        bytes memory signatures = signBatch(b);
        vm.recordLogs();
        vm.prank(keeper, operator);
        assertEq(vault.authorizeMany(b, sizesOf(b), signatures), 1, "a grant is granted inside a call");
        Refusal[] memory refused = refusals();
        assertEq(refused.length, 1, "one is refused");
        assertEq(bytes32(refused[0].reason), bytes32(IVault.InsideCall.selector), "inside a call");
    }

    function fillHalf(bytes32 key) private {
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        fill(o, 300e6, 150e6, 0);
    }
}
