// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {GrantFixture} from "../fixtures/GrantFixture.sol";
import {Vm} from "../fixtures/Vm.sol";

/// @notice Profit of keeper, owner and filler together from a grant's price, with the figures of the trust table.
contract FillPricesTest is GrantFixture {
    /// @dev A path from 50 to 50.5 cents in five of ten seconds.
    function opening(uint256 mostUnits) private view returns (IVault.GrantAttestation memory a) {
        a = grantAttestation(IVault.Purpose.Open, 5_000, 5_050, mostUnits);
        a.exitBufferBps = 0;
    }

    /// @dev 10,000 USD at 10x, without a lifetime fee and exit buffer: 200,000 tokens at 50 cents.
    function createLarge() private returns (bytes32 key) {
        IVault.CreateRequest memory r = tenfold(10_000e6);
        r.lifetimeFeeAprBps = 0;
        return create(r, alice);
    }

    // ------------------------------------------------------------ H1, H2, H3: the keeper's figures

    function test_H1_length_of_the_path_is_signed() public {
        bytes32 key = create();
        IVault.GrantAttestation memory a = opening(300e6);
        a.positionKey = key;
        bytes memory signatures = signGrant(a);
        a.validFor = 6;
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeGrant(key, IVault.Purpose.Open, 300e6, a, signatures);
    }

    function test_H1_late_keeper_skips_no_cheap_second_and_notAfter_cuts_the_end() public {
        bytes32 key = create();
        IVault.GrantAttestation memory a = opening(300e6);
        a.notAfter = uint64(block.timestamp + 8);
        skip(6);
        authorizeGrant(key, 300e6, a);
        (uint256 given, uint256 taken) = vault.quoteFill(key, type(uint256).max);
        assertEq(given, 600e6, "the mark");
        assertEq(taken, 300e6, "and no fee");
        skip(2);
        (, taken) = vault.quoteFill(key, type(uint256).max);
        assertEq(taken, 300e6 + 4_200_000, "two fifths of the fee");
        skip(1);
        refuseFill(key, 600e6, 300e6, IVault.GrantNotLive.selector);
    }

    function test_H2_start_is_never_worse_than_the_limit() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 5_500);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 5_200);
        refuseFill(key, 289_500_000, 600e6, IVault.GrantPriceTooPoor.selector);
        refuseFill(key, 330e6 - 1, 600e6, IVault.GrantPriceTooPoor.selector);
        bytes32 other = openByFill(seeded(2), alice, 5_000);
        requestClose(other, 600e6, 0);
        grant(other, IVault.Purpose.Close, 600e6, 5_000, 5_200);
        refuseFill(other, 312e6 - 1, 600e6, IVault.GrantPriceTooPoor.selector);
        fillGrant(other, 312e6, 600e6);
    }

    function test_H3_fee_part_is_a_tenth_at_most() public {
        bytes32 key = openByFill();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Liquidate, price, price, 600e6);
        a.venueFeeBps = 10_000;
        refuseGrant(key, 600e6, a, IVault.AttestationPriceOutOfRange.selector);
        a.venueFeeBps = 1_000;
        authorizeGrant(key, 600e6, a);
        skip(10);
        (uint256 given, ) = fillAll(key);
        assertEq(given, (600e6 * uint256(price) * 9 + 99_999) / 100_000, "nine tenths of the limit");
    }

    // ------------------------------------------------------------ H5, H6: who knows first

    function test_H5_nothing_is_filled_once_the_result_is_on_chain() public {
        bytes32 key = createLarge();
        authorizeGrant(key, 100_000e6, opening(100_000e6));
        bytes32 held = openByFill(seeded(2), bob, 5_000);
        uint32 price = uint32(vault.liquidationPriceOf(held));
        grant(held, IVault.Purpose.Liquidate, 600e6, price, price);
        resolve(0, 1);
        refuseFill(key, 200_000e6, 100_000e6, IVault.OutcomeDecided.selector);
        refuseFill(held, 300e6, 600e6, IVault.OutcomeDecided.selector);
        (uint256 given, ) = vault.quoteFill(key, type(uint256).max);
        assertEq(given, 0, "nor quoted");
        vm.prank(stranger, stranger);
        vault.settle(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "the whole loan is back");
    }

    function test_H5_signed_last_second_is_before_the_result() public {
        bytes32 key = createLarge();
        IVault.GrantAttestation memory a = opening(100_000e6);
        uint256 end = block.timestamp + 3;
        a.notAfter = uint64(end);
        authorizeGrant(key, 100_000e6, a);
        skip(4);
        // The result is known, and no oracle has said it yet.
        refuseFill(key, 200_000e6, 100_000e6, IVault.GrantNotLive.selector);
        refuseGrant(key, 100_000e6, a, IVault.GrantTimeOutOfRange.selector);
    }

    function test_H6_one_signer_ends_a_grant_whose_mark_has_moved() public {
        bytes32 key = createLarge();
        authorizeGrant(key, 100_000e6, opening(100_000e6));
        skip(3);
        address signer = vm.addr(THIRD_PRICE_KEY);
        vm.prank(signer, signer);
        vault.endGrant(key);
        refuseFill(key, 200_000e6, 100_000e6, IVault.GrantNotLive.selector);
        assertState(key, IVault.PositionState.Pending);
        assertEq(principalOf(key), 90_000e6, "the next grant takes the same loan");
    }

    /// @dev Residual risk: within age and life the price falls from 50 to 40 cents before anyone ends the grant. The
    /// figure stands in the trust table; signers give no such attestation where a market can jump that far.
    function test_limit_H6_fall_within_the_life_costs_the_pool_the_rest() public {
        bytes32 key = createLarge();
        authorizeGrant(key, 100_000e6, opening(100_000e6));
        skip(10);
        (uint256 given, uint256 taken) = fillAll(key);
        assertEq(taken, 103_500e6, "trade and fee");
        uint256 held = given;
        (uint256 idle, uint256 reserve) = (pool.totalAssets(), pool.bookOf().reserveUsdcUnits);
        grant(key, IVault.Purpose.Liquidate, held, 4_000, 4_000);
        fillAll(key);
        uint256 lost = idle + reserve - pool.totalAssets() - pool.bookOf().reserveUsdcUnits;
        assertEq(lost, vault.positionOf(key).badDebtUsdcUnits, "the loss");
        assertEq(lost / 1e6, 10_792, "the loan less what the tokens are worth");
    }

    // ------------------------------------------------------------ H9, H10: the path is anyone's

    function test_H9_fee_that_was_not_needed_is_the_users() public {
        uint256[4] memory kept = [uint256(12e6), 7_800_000, 3_600_000, 1_500_000];
        for (uint256 i = 0; i < kept.length; ++i) {
            bytes32 key = create(seeded(uint128(20 + i)), alice);
            grant(key, IVault.Purpose.Open, 300e6, 5_000, 5_000);
            uint256 before = usdc.balanceOf(alice);
            skip(2 * i);
            fillAll(key);
            assertEq(usdc.balanceOf(alice) - before, kept[i], "what the fee part left");
        }
    }

    function test_H10_path_is_four_and_a_half_percent_at_its_end() public {
        bytes32 key = createLarge();
        authorizeGrant(key, 100_000e6, opening(100_000e6));
        uint256 start = vm.snapshotState();
        (uint256 given, uint256 taken) = fillAll(key);
        assertEq(given, 200_000e6, "at the mark");
        assertEq(taken, 100_000e6, "without a fee");
        vm.revertToState(start);
        skip(10);
        (given, taken) = fillAll(key);
        assertEq(taken, 103_500e6, "the fee part");
        assertEq(given, (uint256(100_000e6) * 10_000 + 5_049) / 5_050, "at the limit, ceil");
        uint256 worth = given / 2;
        assertLe(taken - worth, 4_491e6, "4.5 % of the trade");
    }

    function test_H10_limit_of_a_small_size_serves_no_large_one() public {
        bytes32 key = createLarge();
        refuseGrant(key, 100_000e6, opening(5_000e6), IVault.OrderAmountOutOfRange.selector);
    }

    function test_H10_bands_hold_for_liquidations_too() public {
        bytes32 key = openByFill();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Liquidate, price, 1, 600e6);
        refuseGrant(key, 600e6, a, IVault.AttestationPriceOutOfRange.selector);
    }

    function test_H10_close_brings_the_price_its_user_named_and_never_a_fifth_less_than_the_mark() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 4_600);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 4_000);
        skip(10);
        // 46 cents a token less the fee part.
        refuseFill(key, 266_340_000 - 1, 600e6, IVault.GrantPriceTooPoor.selector);
        uint256 start = vm.snapshotState();
        fillGrant(key, 266_340_000, 600e6);
        vm.revertToState(start);
        skip(20);
        // A price of one pip widens the band to a fifth of the mark and no further; without one it is narrow.
        requestClose(key, 600e6, 1);
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Close, 5_000, 3_999, 600e6);
        refuseGrant(key, 600e6, a, IVault.AttestationPriceOutOfRange.selector);
        requestClose(key, 600e6, 0);
        a.limitPips = 4_749;
        refuseGrant(key, 600e6, a, IVault.AttestationPriceOutOfRange.selector);
    }

    // ------------------------------------------------------------ H11: owner and filler are one

    function test_H11_owner_who_fills_gets_the_quoted_leverage_and_a_quarter() public {
        bytes32 key = createLarge();
        IVault.GrantAttestation memory a = opening(100_000e6);
        a.limitPips = 5_250;
        refuseGrant(key, 100_000e6, a, IVault.LeverageAboveQuoted.selector);
        a.limitPips = 5_111;
        authorizeGrant(key, 100_000e6, a);
        skip(10);
        (uint256 given, ) = fillAll(key);
        uint256 worth = given / 2;
        // 10x was quoted: the owner's part of the tokens at the mark is 8 % at least, 12.5x.
        assertGe((worth - principalOf(key)) * 10_000, worth * 800, "cushion of the pool");
    }

    // ------------------------------------------------------------ H12, H13: ratios and health

    function test_H12_no_price_is_rounded_to_a_pip() public {
        bytes32 key = create();
        grant(key, IVault.Purpose.Open, 300e6, 5_100, 5_100);
        // 300 USD at 51 cents are 588.235295 tokens, ceil.
        fillGrant(key, 588_235_295, 300e6);
        assertState(key, IVault.PositionState.Open);
    }

    function testFuzz_H12_price_lies_between_start_and_limit_and_never_moves_back(uint256 from, uint256 to) public {
        bytes32 key = create();
        uint32 limitPips = uint32(bound(to, 5_000, 5_250));
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Open, 5_000, limitPips, 300e6);
        a.validFor = 20;
        a.exitBufferBps = 0;
        authorizeGrant(key, 300e6, a);
        uint256 first = bound(from, 0, 19);
        skip(first);
        (uint256 given, uint256 taken) = vault.quoteFill(key, 580e6);
        skip(1);
        (uint256 givenLater, uint256 takenLater) = vault.quoteFill(key, 580e6);
        if (given != 0 && givenLater != 0) {
            assertGe(takenLater * given, taken * givenLater, "more for the same, or as much");
            assertLe(takenLater * 1e8, givenLater * limitPips * (10_000 + 350), "and never beyond the limit");
        }
    }

    function test_H13_health_is_checked_at_the_fill() public {
        bytes32 key = openByFill();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        grant(key, IVault.Purpose.Liquidate, 600e6, price, price);
        vm.prank(alice, alice);
        vault.addMargin(key, 150e6);
        refuseFill(key, 300e6, 600e6, IVault.NotLiquidatable.selector);
    }

    function test_H13_hard_exit_below_the_debt_is_never_parted() public {
        bytes32 key = openByFill();
        grant(key, IVault.Purpose.Unwind, 600e6, 3_000, 2_800);
        refuseFill(key, 150e6, 300e6, IVault.GrantPartTooSmall.selector);
        assertEq(principalOf(key), 200e6, "debt per token as before");
    }

    // ------------------------------------------------------------ H20: restarts

    function test_H20_restarted_grant_begins_at_its_mark() public {
        bytes32 key = create();
        authorizeGrant(key, 300e6, opening(300e6));
        skip(9);
        authorizeGrant(key, 300e6, opening(300e6));
        refuseFill(key, 595e6, 300e6, IVault.GrantPriceTooPoor.selector);
        fillGrant(key, 600e6, 300e6);
        assertState(key, IVault.PositionState.Open);
    }

    // ------------------------------------------------------------ R1, R3

    /// @dev Any path, any moment, any number of fills: an opening costs its trade and its part of the fee at most, at
    /// the limit or better, and brings the user's tokens.
    function testFuzz_R1_R3_opening_costs_its_exposure_at_most(
        uint256 mark,
        uint256 limit,
        uint256 seed,
        uint256 userPips
    ) public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        uint32 markPips = uint32(bound(mark, 100, 9_000));
        uint32 limitPips = uint32(bound(limit, markPips, markPips + markPips / 50));
        if (userPips % 2 == 0) {
            r.minPositionTokenUnits = (r.notionalUsdcUnits * 10_000) / bound(userPips, markPips, limitPips);
        }
        bytes32 key = create(r, alice);
        grant(key, IVault.Purpose.Open, 300e6, markPips, limitPips);
        uint256 money = usdc.balanceOf(filler);
        vm.recordLogs();
        fillAtRandom(key, seed);
        if (stateOf(key) == IVault.PositionState.Pending) finalize(key);
        if (stateOf(key) != IVault.PositionState.Open) return;
        uint256 trade = tradeEmitted();
        uint256 held = tokensOf(key);
        money = usdc.balanceOf(filler) - money;
        assertLe(trade, 300e6, "R3 never more than the grant");
        assertLe(money, trade + (trade * 350) / 10_000, "R1 trade and fee part");
        assertLe(money * 1e8, held * limitPips * 10_350, "R3 never beyond the limit");
        assertGe(held * r.notionalUsdcUnits, trade * r.minPositionTokenUnits, "the user's tokens");
        assertLe(principalOf(key), trade - (100e6 * trade) / 300e6, "the loan's share of the trade");
        assertNoGrant(key);
        assertSolvent();
    }

    function fillAtRandom(bytes32 key, uint256 seed) private {
        for (uint256 i = 0; i < 8; ++i) {
            skip(seed % 3);
            seed >>= 8;
            (uint256 given, uint256 taken) = vault.quoteFill(key, bound(seed, 5e6, 40_000e6));
            if (given == 0) (given, taken) = vault.quoteFill(key, type(uint256).max);
            if (given == 0) return;
            fillGrant(key, given, taken);
        }
    }

    /// @dev Of the logs since `vm.recordLogs()`, fee part apart.
    function tradeEmitted() private returns (uint256 trade) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != IVault.GrantFilled.selector) continue;
            (uint256 usdcUnits, , uint256 feeUnits) = abi.decode(logs[i].data, (uint256, uint256, uint256));
            trade += usdcUnits - feeUnits;
        }
    }
}
