// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LiquidityPool} from "../../../src/LiquidityPool.sol";
import {Vault} from "../../../src/Vault.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";
import {Vm} from "../../fixtures/Vm.sol";

/// @notice A redeemer that answers and pays nothing.
contract IdleRedeemer {
    function redeemPositions(address, bytes32, bytes32, uint256[] calldata) external {}
}

/// @notice A redeemer that is paused.
contract PausedRedeemer {
    error Paused();

    function redeemPositions(address, bytes32, bytes32, uint256[] calldata) external pure {
        revert Paused();
    }
}

/// @notice The end by a resolved market, whatever it pays.
contract SettleTest is VaultFixture {
    function test_settle_win() public {
        bytes32 key = open();
        uint256 before = usdc.balanceOf(alice);
        resolve(1, 0);
        vm.prank(stranger, stranger);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(usdc.balanceOf(alice) - before, 400e6, "600 of payout less 200 of debt");
        assertSolvent();
    }

    function test_settle_lose() public {
        bytes32 key = open();
        resolve(0, 1);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 200e6, "bad debt");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "loan gone from the book");
        assertSolvent();
    }

    function test_settle_void() public {
        bytes32 key = open();
        uint256 before = usdc.balanceOf(alice);
        resolve(1, 1);
        vault.settle(key);
        assertEq(usdc.balanceOf(alice) - before, 100e6, "half a dollar per token less debt");
    }

    function test_F27_odd_vector_settles_by_measurement() public {
        bytes32 key = open();
        uint256 before = usdc.balanceOf(alice);
        resolve(2, 1);
        vault.settle(key);
        assertEq(usdc.balanceOf(alice) - before, 200e6, "two thirds per token less debt");
    }

    function test_F12_blacklisted_user_blocks_no_other() public {
        bytes32 key = openWithDeferredPayment();
        assertEq(cashOf(key), 80e6, "the user's part waits in the account");
        resolve(1, 0);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(pool.bookOf().lentUsdcUnits, 0, "the pool is paid");
        uint256 waiting = cashOf(key);
        vault.claim(key);
        assertEq(cashOf(key), waiting, "still waiting");
        usdc.setBlacklisted(alice, false);
        uint256 before = usdc.balanceOf(alice);
        vault.claim(key);
        assertEq(usdc.balanceOf(alice) - before, waiting, "handed out later");
        assertSolvent();
    }

    function test_F27_late_close_and_void() public {
        bytes32 key = open();
        skip(400 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        resolve(1, 1);
        vault.settle(key);
        uint256 paid = usdc.balanceOf(alice) - before;
        assertEq(paid, 300e6 - principal - fees, "void pays half a dollar, less what is owed");
        assertSolvent();
    }

    function test_nothing_is_asked_for_after_settlement() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        resolve(1, 0);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "the request ended with the position");
    }

    function test_a_last_unit_of_fees_is_booked() public {
        bytes32 key = open();
        skip(1 hours);
        fundUser(alice, 300e6);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        vm.prank(alice, alice);
        vault.addMargin(key, principal + fees - 1);
        resolve(1, 0);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked, "one unit came in and is in the book");
    }

    function test_a_loss_of_one_unit_is_emitted() public {
        bytes32 key = open();
        fundUser(alice, 300e6);
        vm.prank(alice, alice);
        vault.addMargin(key, 200e6 - 1);
        assertEq(principalOf(key), 1, "one unit is owed");
        resolve(0, 1);
        vm.expectEmit();
        emit IVault.BadDebtBooked(key, 1);
        vault.settle(key);
    }

    function test_no_loss_is_emitted_without_one() public {
        bytes32 key = open();
        resolve(1, 0);
        vm.recordLogs();
        vault.settle(key);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertTrue(logs.length != 0, "the settlement is emitted");
        for (uint256 i = 0; i < logs.length; ++i) {
            assertTrue(logs[i].topics[0] != IVault.BadDebtBooked.selector, "a loss is not");
        }
    }

    function test_redeemer_that_pays_nothing_gives_no_tokens_away() public {
        exchange = deployExchangeWith(address(new IdleRedeemer()));
        vault = deployVault(deployment());
        pool = LiquidityPool(vault.pool());
        vault.registerOutcome(oracle, QUESTION, 1);
        fundPool(500_000e6, 25_000e6);
        fundUser(alice, 1_000e6);
        bytes32 key = open();
        resolve(1, 0);
        vm.startPrank(alice, alice);
        vault.settle(key);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 200e6, "owed");
        vm.expectRevert(IVault.NothingToClaim.selector);
        vault.claim(key);
        usdc.transfer(vault.accountOf(key), 200e6);
        vault.claim(key);
        vm.stopPrank();
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "repaid");
        assertEq(tokens.balanceOf(alice, yesId), 600e6, "and only then handed out");
    }

    /// @dev V8: what pays nothing needs no redeemer; what pays something waits for it.
    function test_V8_paused_redeemer_keeps_no_loss_off_the_book() public {
        exchange = deployExchangeWith(address(new PausedRedeemer()));
        vault = deployVault(deployment());
        pool = LiquidityPool(vault.pool());
        vault.registerOutcome(oracle, QUESTION, 1);
        vault.registerOutcome(oracle, QUESTION, 2);
        fundPool(500_000e6, 25_000e6);
        fundUser(alice, 1_000e6);
        bytes32 loses = open();
        IVault.CreateRequest memory r = seeded(2);
        r.venueTokenId = noId;
        bytes32 wins = create(r, alice);
        IVenueExchange.Order memory o = orderOf(wins, 0, 300e6, 600e6);
        o.tokenId = noId;
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        a.tokenId = noId;
        authorize(wins, o, a);
        fillWhole(o, 9e6);
        finalize(wins);
        resolve(0, 1);
        vault.settle(loses);
        assertState(loses, IVault.PositionState.Settled);
        assertEq(vault.positionOf(loses).badDebtUsdcUnits, 200e6, "on the book at once");
        assertEq(pool.bookOf().lentUsdcUnits, 200e6, "the other loan alone is out");
        vm.expectRevert(PausedRedeemer.Paused.selector);
        vault.settle(wins);
        assertState(wins, IVault.PositionState.Open);
    }

    function test_limit_a_deferred_refund_of_an_opening_pays_a_later_loss() public {
        bytes32 key = create(tenfoldFree(1), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        fillWhole(o, (o.makerAmount * 300) / 10_000);
        usdc.setBlacklisted(alice, true);
        finalize(key);
        assertEq(cashOf(key), 100e6, "a quarter of the fee budget waits");
        usdc.setBlacklisted(alice, false);
        vm.prank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Open));
        vault.claim(key);
        resolve(0, 1);
        vault.settle(key);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 8_900e6, "it repaid a part of the loan");
    }

    /// @dev The account's balance is part of the settlement: nothing was sold before it.
    function test_a_position_without_an_order_is_settled_in_one_step() public {
        bytes32 key = open();
        usdc.mint(vault.accountOf(key), 5e6);
        resolve(1, 0);
        IVault.Distribution memory d;
        (d.proceedsUsdcUnits, d.principalUsdcUnits, d.userUsdcUnits) = (605e6, 200e6, 405e6);
        vm.expectEmit();
        emit IVault.PositionSettled(key, alice, 600e6, d);
        vault.settle(key);
    }
}
