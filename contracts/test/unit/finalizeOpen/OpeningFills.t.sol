// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Measurement of fills: several orders, older orders, parts, fees beyond the budget, donations.
contract OpeningFillsTest is VaultFixture {
    function test_an_unused_order_counts_as_nothing() public {
        bytes32 key = create();
        assertEndsUnfilled(key, authorizedOpen(key));
        assertEq(vault.positionOf(key).filledUsdcUnits, 0, "the whole notional is free again");
    }

    function test_a_refused_status_counts_as_nothing_whatever_it_brings() public {
        bytes32 key = create();
        bytes32 orderHash = authorizedOpen(key);
        vm.mockCallRevert(address(exchange), statusOf(orderHash), "");
        assertEndsUnfilled(key, orderHash);
        orderHash = authorizedOpen(key);
        vm.mockCallRevert(address(exchange), statusOf(orderHash), abi.encode(true, 1));
        assertEndsUnfilled(key, orderHash);
    }

    function test_a_status_that_is_too_short_counts_as_nothing() public {
        bytes32 key = create();
        bytes32 orderHash = authorizedOpen(key);
        vm.mockCall(address(exchange), statusOf(orderHash), abi.encode(true));
        assertEndsUnfilled(key, orderHash);
    }

    function test_an_order_with_one_unit_left_counts_as_filled_but_one() public {
        (bytes32 key, IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = createInParts();
        fill(o, 100e6 - 1, 200e6 - 2, 0);
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        assertEq(vault.positionOf(key).filledUsdcUnits, 100e6 - 1, "all but one unit");
    }

    function test_a_fill_of_one_unit_counts() public {
        (bytes32 key, IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = createInParts();
        fill(o, 1, 2, 0);
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        assertEq(vault.positionOf(key).filledUsdcUnits, 1, "one unit");
    }

    /// @dev An order that is over but not ended keeps its allowance: a pre-approved one fills hours later.
    function test_limit_expired_order_that_was_not_ended_can_still_be_filled() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = preapproved(authorizeOpen(key, 5_000));
        skip(1 days);
        fillWhole(o, 9e6);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
    }

    /// @dev The status read is the newest order's and says nothing: all that was spent pays the origination fee, and
    /// the loan is what the user's own money could not pay.
    function test_fill_of_an_older_order_pays_its_fee_and_borrows_what_own_money_lacks() public {
        bytes32 key = create();
        IVenueExchange.Order memory old = preapproved(authorizeOpen(key, 5_000));
        authorizeOpen(key, 5_000);
        fillWhole(old, 9e6);
        uint256 treasuryOwed = pool.bookOf().treasuryOwedUsdcUnits;
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(vault.positionOf(key).tokenUnits, 600e6, "all tokens");
        assertEq(principalOf(key), 309e6 - 112e6, "less than 200, of an honest fill");
        assertEq(pool.bookOf().treasuryOwedUsdcUnits - treasuryOwed, 3e6, "and the whole origination fee");
    }

    function test_an_older_order_that_filled_pays_the_whole_origination_fee() public {
        assertEq(feeOfTwoOrders(10_000, 20_000, 0), 1_000e6, "beside a unit of the newer one");
    }

    function test_an_older_order_that_filled_late_pays_the_whole_origination_fee() public {
        assertGe(feeOfTwoOrders(900e6, 1_800e6, 30e6), 999e6, "beside a part of the newer one");
    }

    /// @dev An order is pre-approved and replaced; it fills wholly, and then the newer one by a part.
    function feeOfTwoOrders(uint256 gives, uint256 receives, uint256 fee) private returns (uint256 paid) {
        bytes32 key = create(tenfold(10_000e6), alice);
        uint256 before = pool.bookOf().treasuryOwedUsdcUnits + pool.bookOf().reserveUsdcUnits;
        IVenueExchange.Order memory older = preapproved(authorizeOpen(key, 5_000));
        IVenueExchange.Order memory newer = authorizeOpen(key, 5_000);
        fill(older, older.makerAmount, older.takerAmount, 3_000e6);
        fill(newer, gives, receives, fee);
        finalize(key);
        return pool.bookOf().treasuryOwedUsdcUnits + pool.bookOf().reserveUsdcUnits - before;
    }

    function request10() private view returns (IVault.CreateRequest memory) {
        return requestOf(seedOf(1), 100e6, 100_000);
    }

    /// @dev Limit: an exchange that says more was filled than it took lets its fee be lent, up to the loan's share of
    /// it. The venue's exchange does so when direct fills are loose, as before its audit.
    function test_limit_a_status_above_the_fill_lends_on_the_fee() public {
        liftFeeRate();
        IVault.CreateRequest memory r = request10();
        r.venueFeeUsdcUnits = 100e6;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        vm.prank(operator, operator);
        exchange.setTraps(false, true);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(yesId, 1, 200e6, 100e6);
        matchWith(o, makers, 1_000e6, 100e6);
        finalize(key);
        assertEq(principalOf(key), 180e6, "nine tenths of a trade of 100 and a fee of 100");
        assertEq(tokensOf(key), 200e6, "on tokens of 100");
        assertSolvent();
    }

    /// @dev Limit: an operator who fills a part and takes a fee above the attested share moves the position nearer to
    /// its liquidation than the check at authorisation saw. The loan never grows, and no unit beyond the order is
    /// taken.
    function test_limit_fee_overrun_on_a_part_fill_reaches_health_at_opening_but_not_the_loan() public {
        liftFeeRate();
        bytes32 key = create(request10(), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        uint256 cash = cashOf(key);
        fill(o, 960e6, 1_920e6, 80e6);
        assertEq(cash - cashOf(key), o.makerAmount + 40e6, "N3 exactly order and budgeted fee");
        finalize(key);
        assertEq(principalOf(key), 900e6, "the loan is what the check assumed at most");
        assertEq(vault.liquidationPriceOf(key), 5_109, "above the mark of 5,000, checked were 4,905");
        assertSolvent();
    }

    function test_part_fill_at_the_budgeted_fee_opens_as_healthy_as_the_whole() public {
        liftFeeRate();
        bytes32 key = create(request10(), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        fill(o, 960e6, 1_920e6, (960e6 * 400) / 10_000);
        finalize(key);
        assertLe(vault.liquidationPriceOf(key), 4_905, "N4");
    }

    function test_donation_that_makes_a_fill_look_free_costs_the_donor_and_strands_nothing() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        usdc.mint(vault.accountOf(key), 309e6);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(pool.bookOf().lentUsdcUnits, 0, "loan back");
        assertEq(usdc.balanceOf(alice), before, "money back");
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(tokens.balanceOf(alice, yesId), 600e6, "tokens to their owner");
        assertSolvent();
    }

    function test_donation_during_an_opening_lowers_the_loan_and_never_below_what_is_owed() public {
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        usdc.mint(vault.accountOf(key), 50e6);
        finalize(key);
        assertEq(principalOf(key), 259e6 - 86_333_334, "split of what is gone, less than 200 USD");
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked, "to the unit");
    }

    /// @dev Three orders, the first pre-approved and filled late, and donations between: book and account agree.
    function testFuzz_three_opening_orders_leave_nothing(
        uint256 first,
        uint256 second,
        uint256 third,
        uint256 donation,
        bool late
    ) public {
        liftFeeRate();
        IVault.CreateRequest memory r = tenfoldFree(1);
        r.minFillBps = 1;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory older = preapproved(opening(key, bound(first, 100e6, 4_000e6)));
        IVenueExchange.Order memory newer = opening(key, bound(second, 100e6, 3_000e6));
        fillPart(older, 2);
        fillPart(newer, 3);
        usdc.mint(vault.accountOf(key), bound(donation, 0, 3_000e6));
        try this.openOutside(key, bound(third, 100e6, 2_000e6)) returns (IVenueExchange.Order memory o) {
            fillPart(o, 1);
        } catch (bytes memory reason) {
            // What the older order filled counts as spent beyond the fills: no budget is left for a fee.
            assertEq(bytes4(reason), IVault.VenueFeeTooSmall.selector, "only the budget may be used up");
        }
        assertGe(tokensOf(key), 1, "something was bought");
        if (late) {
            skip(121);
            vm.prank(alice, alice);
            vault.cancelPosition(key);
        } else {
            finalize(key);
        }
        assertEq(cashOf(key), 0, "all is handed out");
        (uint256 lent, ) = pool.outcomeLoanOf(yesOutcome);
        assertEq(lent, principalOf(key), "what is lent is owed");
        assertAllowancesOff(key);
        assertSolvent();
        resolve(1, 0);
        if (stateOf(key) == IVault.PositionState.Open) vault.settle(key);
        assertSolvent();
    }

    function authorizedOpen(bytes32 key) private returns (bytes32 orderHash) {
        orderHash = exchange.hashOrder(authorizeOpen(key, 5_000));
    }

    function statusOf(bytes32 orderHash) private pure returns (bytes memory) {
        return abi.encodeCall(IVenueExchange.getOrderStatus, (orderHash));
    }

    /// @dev The next order ends the one before it, of which nothing counts as filled.
    function assertEndsUnfilled(bytes32 key, bytes32 orderHash) private {
        vm.expectEmit();
        emit IVault.OrderEnded(key, orderHash, IVault.Purpose.Open, 0);
        authorizeOpen(key, 5_000);
    }

    function opening(bytes32 key, uint256 usdcUnits) private returns (IVenueExchange.Order memory o) {
        usdcUnits = (usdcUnits / 5_000) * 5_000;
        o = orderOf(key, 0, usdcUnits, usdcUnits * 2);
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    /// @dev A part of an order with a fee of 4 %; an older order may find too little left.
    function fillPart(IVenueExchange.Order memory o, uint256 divisor) private {
        uint256 gives = (o.makerAmount / divisor / 5_000) * 5_000;
        try this.fillOutside(o, gives) {} catch (bytes memory reason) {
            bytes4 tooSmall = IERC20Errors.ERC20InsufficientAllowance.selector;
            assertEq(bytes4(reason), tooSmall, "only the allowance may be too small");
        }
    }

    function openOutside(bytes32 key, uint256 usdcUnits) external returns (IVenueExchange.Order memory o) {
        return opening(key, usdcUnits);
    }

    function fillOutside(IVenueExchange.Order memory o, uint256 gives) external {
        fill(o, gives, gives * 2, gives / 25);
    }
}
