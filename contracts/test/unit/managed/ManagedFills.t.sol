// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPositionAccount} from "../../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {FillAttacksTest} from "../../attacks/FillAttacks.t.sol";
import {FillPricesTest} from "../../attacks/FillPrices.t.sol";
import {FillLifeTest} from "../fill/FillLife.t.sol";
import {FillRulesTest} from "../fill/FillRules.t.sol";

/// @notice Every test of a life by fills, on the second ledger.
contract ManagedFillLifeTest is FillLifeTest {
    function isManaged() internal pure override returns (bool) {
        return true;
    }

    /// @dev Orders of the exchange are refused here, so no grant can follow one.
    function test_routes_follow_each_other() public override {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 150e6, 300e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        bytes memory signatures = signAttestation(a);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.GrantRequired.selector);
        vault.authorizeOrder(key, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signatures);
        assertEq(usdc.allowance(vault.accountOf(key), address(exchange)), 0, "no allowance");
    }
}

/// @notice Every rule of fills, on the second ledger.
contract ManagedFillRulesTest is FillRulesTest {
    function isManaged() internal pure override returns (bool) {
        return true;
    }
}

/// @notice Every attack on the price of a grant, on the second ledger.
contract ManagedFillPricesTest is FillPricesTest {
    function isManaged() internal pure override returns (bool) {
        return true;
    }
}

/// @notice Every attack on fills, on the second ledger. Where an order of the exchange would come first, it is refused.
contract ManagedFillAttacksTest is FillAttacksTest {
    function isManaged() internal pure override returns (bool) {
        return true;
    }

    function assertOrderRefused() private {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        vm.expectRevert(IVault.GrantRequired.selector);
        this.authorizeSaleFrom(key);
        assertTrue(!vault.isLiveOrder(key, bytes32(0)), "no hash is live");
    }

    function test_H15_no_hash_is_live_while_a_grant_is() public override {
        assertOrderRefused();
    }

    function test_H15_order_that_the_exchange_gives_no_hash_is_refused() public override {
        vm.mockCall(address(exchange), abi.encodePacked(exchange.hashOrder.selector), abi.encode(bytes32(0)));
        assertOrderRefused();
    }

    function test_H17_order_that_a_grant_replaces_is_for_the_sender_of_a_transaction() public override {
        assertOrderRefused();
    }

    /// @dev Only where the receiver is called; ManagedDonations says what the others do.
    function test_H18_donated_tokens_are_refused() public override {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        tokens.safeTransferFrom(maker, account, yesId, 1, "");
    }
}
