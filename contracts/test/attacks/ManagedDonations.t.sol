// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IPositionAccount} from "../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {ManagedFixture} from "../fixtures/ManagedFixture.sol";

/// @notice Tokens that no account can refuse: the PositionManager calls no receiver of a mint or of an unsafe transfer,
/// so anyone donates at any step. A donation hides no sale and keeps no loss off the book.
contract ManagedDonationsTest is ManagedFixture {
    function liquidation(bytes32 key) private view returns (uint32 pricePips) {
        return uint32(vault.liquidationPriceOf(key));
    }

    function test_before_the_account_has_code_opens_nothing() public {
        bytes32 key = create();
        donate(vault.accountOf(key), 100e6);
        grantOpen(key, 5_000, 5_100);
        uint256 lent = pool.bookOf().lentUsdcUnits;
        skip(11);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(lent - pool.bookOf().lentUsdcUnits, 200e6, "the loan came back");
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(manager.balanceOf(alice, yesId), 100e6, "the donation is the owner's");
        assertSolvent();
    }

    function test_to_an_unfunded_position_opens_nothing() public {
        bytes32 key = create();
        donate(vault.accountOf(key), 600e6);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(tokensOf(key), 600e6, "left for a claim");
        assertSolvent();
    }

    function test_during_an_unfilled_grant_opens_nothing() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_100);
        donate(vault.accountOf(key), 600e6);
        vm.prank(keeper, keeper);
        vault.endGrant(key);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertSolvent();
    }

    function test_beside_a_fill_belongs_to_the_position() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        donate(vault.accountOf(key), 50e6);
        fillAll(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(vault.positionOf(key).tokenUnits, 650e6, "bought and given");
        assertEq(principalOf(key), 200e6, "the loan of what was bought");
        assertSolvent();
    }

    function test_hides_no_part_close() public {
        bytes32 key = openByFill();
        requestClose(key, 200e6, 0);
        grant(key, IVault.Purpose.Close, 200e6, 5_500, 5_500);
        donate(vault.accountOf(key), 200e6);
        fillAll(key);
        assertEq(vault.positionOf(key).tokenUnits, 400e6, "what the grant left");
        assertEq(principalOf(key), 133_333_333, "the sold tokens paid their share");
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "the request was served");
        assertSolvent();
    }

    function test_keeps_no_closed_position_open() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 5_500, 5_500);
        donate(vault.accountOf(key), 20_000);
        fillAll(key);
        assertState(key, IVault.PositionState.Closed);
        assertEq(principalOf(key), 0, "repaid");
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(manager.balanceOf(alice, yesId), 20_000, "the donation");
        assertSolvent();
    }

    /// @dev A loan that stays on the book after its tokens are gone would let providers leave before the loss.
    function test_keeps_no_loss_of_a_liquidation_off_the_book() public {
        bytes32 key = openByFill(tenfold(1_000e6), alice, 5_000);
        uint32 price = liquidation(key);
        uint256 held = vault.positionOf(key).tokenUnits;
        // A fifth below the mark with the fee part, which is more than collateral and fee cover.
        grant(key, IVault.Purpose.Liquidate, held, price, (price * 83) / 100);
        donate(vault.accountOf(key), held);
        skip(10);
        fillAll(key);
        assertState(key, IVault.PositionState.Liquidated);
        assertTrue(vault.positionOf(key).badDebtUsdcUnits != 0, "the loss is booked");
        assertEq(principalOf(key), 0, "no loan is left");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "nor in the pool");
        assertSolvent();
    }

    function test_saves_no_liquidation_fee_by_margin() public {
        bytes32 key = openByFill(tenfold(1_000e6), alice, 5_000);
        uint32 price = liquidation(key);
        uint256 held = vault.positionOf(key).tokenUnits;
        grant(key, IVault.Purpose.Liquidate, held, price, price - 100);
        uint256 part = held / 5 + 1;
        fillGrant(key, (part * price) / 10_000 + 1, part);
        donate(vault.accountOf(key), part);
        assertEq(tokensOf(key), held, "as if nothing was sold");
        vm.prank(alice, alice);
        vm.expectRevert(IVault.SaleNotBooked.selector);
        vault.addMargin(key, 10_000e6);
        finalize(key);
        assertEq(vault.positionOf(key).tokenUnits, held - part, "booked as sold");
    }

    /// @dev Without a fill there is nothing to wait for, whatever is given.
    function test_margin_waits_for_no_unfilled_liquidation() public {
        bytes32 key = openByFill(tenfold(1_000e6), alice, 5_000);
        grant(key, IVault.Purpose.Liquidate, vault.positionOf(key).tokenUnits, liquidation(key), liquidation(key));
        vm.prank(alice, alice);
        assertEq(vault.addMargin(key, 1_000e6), 1_000e6, "taken");
    }

    function test_leaves_with_an_exit() public {
        bytes32 key = openByFill();
        donate(vault.accountOf(key), 7e6);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, bob);
        assertEq(manager.balanceOf(bob, yesId), 607e6, "all that is there");
        assertEq(tokensOf(key), 0, "nothing stays");
    }

    function test_is_redeemed_with_the_position() public {
        bytes32 key = openByFill();
        donate(vault.accountOf(key), 100e6);
        decide(370_000);
        (uint256 owed, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        vault.settle(key);
        assertEq(usdc.balanceOf(alice) - before, 259e6 - owed - fees, "37 cents of 700");
        assertEq(tokensOf(key), 0, "nothing stays");
        assertSolvent();
    }

    function test_after_the_end_is_the_owners() public {
        bytes32 key = openByFill();
        decide(1_000_000);
        vault.settle(key);
        donate(vault.accountOf(key), 3e6);
        vm.prank(stranger, stranger);
        vm.expectRevert(IVault.NothingToClaim.selector);
        vault.claim(key);
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(manager.balanceOf(alice, yesId), 3e6, "handed out");
    }

    function test_of_more_than_48_bits_blocks_nothing() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        address account = vault.accountOf(key);
        vm.prank(address(module), address(module));
        manager.mint(account, yesId, 1 << 200);
        fillAll(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(vault.positionOf(key).tokenUnits, type(uint48).max, "as many as are counted");
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
        assertEq(manager.balanceOf(alice, yesId), (1 << 200) + 600e6, "and all of them leave");
    }

    function test_of_another_outcome_changes_nothing() public {
        bytes32 key = openByFill();
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        manager.unsafeTransferFrom(maker, account, noId, 5e6);
        decide(0);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(manager.balanceOf(account, noId), 5e6, "lost to its sender");
        assertSolvent();
    }

    function test_where_the_receiver_is_called_it_refuses() public {
        bytes32 key = openByFill();
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        manager.safeTransferFrom(maker, account, yesId, 1, "");
        // The exchange trades on the other ledger alone.
        vm.prank(maker, maker);
        manager.setApprovalForAll(address(exchange), true);
        vm.prank(address(exchange), address(exchange));
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        manager.safeTransferFrom(maker, account, yesId, 1, "");
        uint256[] memory one = new uint256[](1);
        vm.prank(maker, maker);
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        manager.safeBatchTransferFrom(maker, account, one, one, "");
    }

    function test_of_tokens_one_does_not_have_is_refused() public {
        bytes32 key = openByFill();
        address account = vault.accountOf(key);
        vm.prank(stranger, stranger);
        vm.expectPartialRevert(IERC1155Errors.ERC1155InsufficientBalance.selector);
        manager.unsafeTransferFrom(stranger, account, yesId, 1);
    }
}
