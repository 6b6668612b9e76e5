// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice A venue that changes its highest fee, or takes more than one budget for the fees of an opening.
contract VenueFeesTest is VaultFixture {
    function setRate(uint256 rateBps) private {
        vm.prank(owner, owner);
        exchange.setMaxFeeRate(rateBps);
    }

    function test_V1_nothing_opens_while_the_venue_has_no_limit_or_a_high_one() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        uint256[3] memory rates = [uint256(0), 1_001, 9_999];
        for (uint256 i = 0; i < rates.length; ++i) {
            setRate(rates[i]);
            vm.expectRevert(abi.encodeWithSelector(IVault.VenueFeeRateOutOfRange.selector, rates[i]));
            authorize(key, o, a);
        }
        setRate(1_000);
        authorize(key, o, a);
    }

    /// @dev 200 USD of debt on 600 tokens: what covers it depends on the most the venue may take now.
    function test_V1_attack_venue_lifts_its_limit_to_eat_a_close() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 240e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 4_000, 4_000);
        uint256[3] memory rates = [uint256(0), 1_700, 9_999];
        for (uint256 i = 0; i < rates.length; ++i) {
            setRate(rates[i]);
            vm.expectRevert(IVault.SaleBelowDebt.selector);
            authorize(key, o, a);
        }
        setRate(1_600);
        authorize(key, o, a);
        fillWhole(o, (240e6 * 1_600) / 10_000);
        finalize(key);
        assertState(key, IVault.PositionState.Closed);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "the most it may take was reckoned with");
    }

    function test_V1_an_attested_fee_above_the_limit_counts() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 240e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 4_000, 4_000);
        setRate(1);
        a.venueFeeBps = 1_700;
        vm.expectRevert(IVault.SaleBelowDebt.selector);
        authorize(key, o, a);
        a.venueFeeBps = 1_600;
        authorize(key, o, a);
    }

    function test_V1_unwind_covers_by_the_limit_and_is_sized_by_the_attested_fee() public {
        bytes32 key = open();
        setRate(1_000);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 4_000, 4_000);
        a.triggerPips = 1;
        // At most what repays 200 USD at 0.40 less 3.5 %, and 5 tokens.
        uint256 repaying = (uint256(200e6) * 1e8 + 4_000 * 9_650 - 1) / (4_000 * 9_650) + 5e6;
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        assertEq(principal + fees, 200e6, "no fee has accrued yet");
        IVenueExchange.Order memory o = orderOf(key, 1, repaying + 1, ((repaying + 1) * 4_000 + 9_999) / 10_000);
        vm.expectRevert(IVault.OrderAmountOutOfRange.selector);
        authorize(key, o, a);
        o = orderOf(key, 1, repaying, (repaying * 4_000 + 9_999) / 10_000);
        authorize(key, o, a);
    }

    function test_V1_liquidation_and_every_exit_go_on_whatever_the_limit() public {
        bytes32 key = open();
        bytes32 other = open(seeded(2), alice, 5_000);
        setRate(0);
        uint32 price = uint32(vault.liquidationPriceOf(key));
        authorize(key, orderOf(key, 1, 600e6, 600e6), attestation(IVault.Purpose.Liquidate, price, price));
        vm.prank(alice, alice);
        vault.exitByRepaying(other, alice);
        assertState(other, IVault.PositionState.Closed);
        resolve(1, 0);
        vm.prank(stranger, stranger);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
    }

    /// @dev V3: of every order the venue takes all it is allowed. Together that is what was filled and the one budget.
    function test_V3_attack_venue_takes_the_fee_budget_with_every_order() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 1_000;
        bytes32 key = create(r, alice);
        address account = vault.accountOf(key);
        uint256 budget = 300e6 + 12e6;
        uint256 origination = 3e6;
        setRate(1_000);
        for (uint256 i = 0; i < 3; ++i) {
            IVenueExchange.Order memory o = orderOf(key, 0, 60e6, 120e6);
            IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
            a.venueFeeBps = 0;
            authorize(key, o, a);
            uint256 left = 12e6 - i * 6e6;
            uint256 allowed = usdc.allowance(account, address(exchange));
            assertEq(allowed, 60e6 + left, "the order, and what is left of the fee");
            fillWhole(o, left < 6e6 ? left : 6e6);
            uint256 spent = budget - (usdc.balanceOf(account) - origination);
            assertLe(spent, (i + 1) * 60e6 + 12e6, "fills and one budget");
        }
        finalize(key);
        assertEq(principalOf(key), 120e6, "the loan pays no fee");
    }

    function test_V3_attack_fee_budget_is_used_up_by_the_first_order() public {
        (bytes32 key, IVenueExchange.Order memory o, ) = createInParts();
        setRate(1_000);
        fillWhole(o, 10e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        // 2 USD are left for fees: 3.5 % of 57.142857 USD.
        o = orderOf(key, 0, 57_142_858, 114_285_716);
        vm.expectRevert(IVault.VenueFeeTooSmall.selector);
        authorize(key, o, a);
        o = orderOf(key, 0, 57_142_857, 114_285_714);
        authorize(key, o, a);
        assertEq(usdc.allowance(vault.accountOf(key), address(exchange)), 59_142_857, "and no unit more");
    }

    /// @dev A donation makes what was spent look smaller, and the budget no larger than it was.
    function test_V3_donation_is_no_budget() public {
        (bytes32 key, IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = createInParts();
        fillWhole(o, 0);
        usdc.mint(vault.accountOf(key), 50e6);
        a.venueFeeBps = 1_200;
        o = orderOf(key, 0, 100e6, 200e6);
        authorize(key, o, a);
        assertEq(usdc.allowance(vault.accountOf(key), address(exchange)), 112e6, "the order and the budget");
        a.venueFeeBps = 1_201;
        o = orderOf(key, 0, 100e6, 200e6);
        vm.expectRevert(IVault.VenueFeeTooSmall.selector);
        authorize(key, o, a);
    }

    /// @dev The status of the newest order says nothing of what an older one paid, fee included: the loan is what own
    /// money could not pay, never a share of the fee.
    function test_attack_venue_has_its_fee_lent_by_filling_an_older_order() public {
        bytes32 key = createTenfold();
        IVenueExchange.Order memory older = preapproved(authorizeBuying(key, 910e6, 350));
        authorizeBuying(key, 1_000e6, 350);
        fillWhole(older, 90e6);
        uint256 before = usdc.balanceOf(alice);
        uint256 earned = earnedByOriginations();
        finalize(key);
        assertEq(principalOf(key), 1_000e6 - 200e6, "less than 819, of an honest fill of 910");
        assertLe(vault.liquidationPriceOf(key), 4_905, "N4");
        assertEq(earnedByOriginations() - earned, 10e6, "the fee of all that was spent");
        assertEq(usdc.balanceOf(alice), before, "collateral and fee budget paid before the loan");
        assertSolvent();
    }

    function test_attack_venue_lifts_its_limit_after_the_order_to_have_its_fee_lent() public {
        bytes32 key = createTenfold();
        IVenueExchange.Order memory o = authorizeBuying(key, 1_000e6, 350);
        setRate(9_999);
        fill(o, 100e6, 200e6, 99e6);
        finalize(key);
        assertEq(principalOf(key), 90e6, "the loan of what was filled");
        assertLe(vault.liquidationPriceOf(key), 4_905, "N4");
        assertSolvent();
    }

    /// @dev Whatever two orders fill, in whichever order and at whatever fee the exchange lets pass: the loan is the
    /// share of what was really bought, or what the user's own money could not pay.
    function testFuzz_the_loan_is_a_share_of_what_was_bought_or_what_own_money_could_not_pay(
        uint256 first,
        uint256 second,
        uint256 firstFee,
        uint256 secondFee,
        uint256 rateBps
    ) public {
        bytes32 key = createTenfold();
        IVenueExchange.Order memory older = preapproved(authorizeBuying(key, 910e6, 350));
        IVenueExchange.Order memory newer = authorizeBuying(key, 1_000e6, 350);
        setRate(bound(rateBps, 1, 9_999));
        uint256 paid = cashOf(key);
        uint256 bought = fillWithin(older, first, firstFee) + fillWithin(newer, second, secondFee);
        uint256 spent = paid - cashOf(key);
        uint256 before = usdc.balanceOf(alice);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        uint256 share = (bought * 9) / 10;
        uint256 owed = spent > 200e6 ? spent - 200e6 : 0;
        uint256 principal = principalOf(key);
        assertLe(principal, share > owed ? share : owed, "no more is lent");
        assertGe(principal, owed, "and no less than is gone beyond the user's own money");
        assertLe(usdc.balanceOf(alice) - before + spent - principal, 210e6, "the user gets back what was not spent");
        assertGe(usdc.balanceOf(alice) - before + spent - principal, 200e6, "but for the origination fee");
        assertSolvent();
    }

    /// @dev V3: what three orders take together, whatever is filled of each and of the one before it, at whatever fee.
    function testFuzz_V3_an_opening_costs_its_orders_and_one_budget(uint256[6] memory x) public {
        bytes32 key = createTenfold();
        IVenueExchange.Order memory last = preapproved(authorizeBuying(key, 200e6, 0));
        uint256 ordered = 200e6;
        fillWithin(last, x[0], x[1]);
        for (uint256 i = 2; i < 6; i += 2) {
            setRate(1_000);
            try this.authorizeOutside(key, 50e6 * i) returns (IVenueExchange.Order memory o) {
                setRate(9_999);
                fillWithin(last, x[i] >> 128, x[i + 1] >> 128);
                fillWithin(o, x[i], x[i + 1]);
                last = preapproved(o);
                ordered += o.makerAmount;
                uint256 spent = 1_110e6 - cashOf(key);
                assertLe(spent, ordered + 100e6, "V3 the orders and one budget");
            } catch (bytes memory reason) {
                assertEq(bytes4(reason), IVault.UnhealthyAtOpening.selector, "only what was taken may be too much");
            }
        }
    }

    function authorizeOutside(bytes32 key, uint256 usdcUnits) external returns (IVenueExchange.Order memory o) {
        return authorizeBuying(key, usdcUnits, 0);
    }

    /// @dev 100 USD of collateral at 10x, as much again for the venue's fee, any fill opens; the venue may take 10 %.
    function createTenfold() private returns (bytes32 key) {
        liftFeeRate();
        IVault.CreateRequest memory r = tenfold(100e6);
        (r.venueFeeUsdcUnits, r.minFillBps) = (100e6, 1);
        return create(r, alice);
    }

    /// @dev An order for so much at 50 cents, at an attested fee of the venue.
    function authorizeBuying(
        bytes32 key,
        uint256 usdcUnits,
        uint16 venueFeeBps
    ) private returns (IVenueExchange.Order memory o) {
        o = orderOf(key, 0, usdcUnits, usdcUnits * 2);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        a.venueFeeBps = venueFeeBps;
        authorize(key, o, a);
    }

    /// @dev A part of an order at any fee, within the allowance; returns what was bought, in USDC units.
    function fillWithin(IVenueExchange.Order memory o, uint256 part, uint256 fee) private returns (uint256 gives) {
        uint256 allowance = usdc.allowance(o.maker, address(exchange));
        (bool filled, uint256 left) = exchange.getOrderStatus(exchange.hashOrder(o));
        if (left == 0) left = filled ? 0 : o.makerAmount;
        if (allowance < left) left = allowance;
        if (left < 5_000) return 0;
        gives = bound(part, 5_000, left);
        uint256 highest = (gives * exchange.getMaxFeeRate()) / 10_000;
        left = allowance - gives;
        fill(o, gives, gives * 2, bound(fee, 0, highest < left ? highest : left));
    }

    function earnedByOriginations() private view returns (uint256) {
        return pool.bookOf().treasuryOwedUsdcUnits + pool.bookOf().reserveUsdcUnits;
    }
}
