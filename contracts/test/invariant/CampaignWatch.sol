// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {CampaignWorld} from "./CampaignWorld.sol";

/// @notice Checks after every action: events are folded, each distribution of money is checked, and whatever
/// the action was not about has to be as it was.
abstract contract CampaignWatch is CampaignWorld {
    /// @notice Events of a campaign; the table of a run counts them.
    enum Deed {
        Created, RefusedWhilePaused, RefusedByCaps, OpeningAuthorized, CloseAuthorized, UnwindAuthorized,
        LiquidationAuthorized, FilledWhole, FilledPart, FilledPaired, FilledGross, FilledAboveBudget,
        GhostFilled, Preapproved, StaleRefused, StaleFilled, Opened, Refunded, SoldPart, SoldWhole, Liquidated,
        BookedByStranger, StrangerRefused, BookedMany, LiedTo, CancelAsked, CloseAsked, MarginPaid,
        MarginAmidBooking, Exited, Resolved, Settled, SettledAtLoss, Claimed, TokensClaimed, Recovered,
        Impaired, Cleared, ImpairRefused, Lost, Deferred, Deposited, RedeemAsked, Redeemed, RedeemedCapped,
        SentToOwner, ExitRefused, TreasuryPaid, TreasuryBlacklisted, PoolGiven, AccountGiven, Waited, CapSet,
        ParametersSet, Paused, Resumed, OwnerChanged, KeyChanged, PersonBlacklisted, BlacklistCleared,
        VenuePaused, SeedReplayed, OrderReused, HealthyRefused, RefusedUnhealthy, RefusedBeyondAllowance,
        OpeningContinued, UnwoundWhole, FewerRefused, AlarmRaised, AlarmRefused, OrderedInAlarm, EndedByAlarm,
        FeeOwed, FilledAtLiftedRate, StaleBought, GrantedOpening, GrantedClose, GrantedUnwind, GrantedLiquidation,
        GrantRefused, GrantFilled, GrantFilledInPart, GrantFilledAfterStart, GrantFinished, FillRefused,
        FillRefusedAsPoor, FilledByOwner, FillerReentered, FilledByPairs, GrantEndedEarly, GrantedMany,
        MemberRefused, MemberReplaced, BatchRefused, FilledMany, FillSkipped
    }

    /// @notice Everything of a position that another's action must leave alone.
    struct Facts {
        IVault.Position position;
        IVault.LiveOrder live;
        IVault.LiveGrant grant;
        uint256 cash;
        uint256 held;
        uint256 allowance;
        bool approved;
    }

    mapping(Deed deed => uint256 times) internal deeds;
    /// @dev Openings whose fee, status or price was not what they were checked for: it no longer bounds them.
    mapping(bytes32 key => bool passed) internal overrun;
    /// @dev Openings about which the exchange was made to lie: it may say that more was filled than was.
    mapping(bytes32 key => bool lied) internal liedAbout;
    /// @dev Actual payment of opening orders for tokens, a minted one at first and before anything came back.
    mapping(bytes32 key => uint256 usdcUnits) internal bought;
    /// @dev Sales filled beside their order's price or fee: debt per token may rise.
    mapping(bytes32 key => bool meddled) internal meddled;
    mapping(bytes32 key => uint256 pricePips) internal marks;
    address internal actor;

    uint256 private action;
    uint256 private priceBefore;
    uint256 private entryBefore;
    uint256 private impairedBefore;
    uint256 private reserveBefore;
    mapping(bytes32 key => uint256 action) private touchedAt;
    mapping(bytes32 key => uint256 usdcUnits) private principalDue;
    mapping(bytes32 key => uint256 usdcUnits) private feesDue;
    mapping(bytes32 key => bytes32 facts) private seen;
    mapping(address who => uint256 action) private paidAt;
    mapping(address who => uint256 usdcUnits) private moneyBefore;
    mapping(address who => uint256 shares) private sharesBefore;
    mapping(uint32 outcomeId => uint256 usdcUnits) private lentBefore;

    modifier watched() {
        beginAction();
        _;
        endAction();
    }

    /// @dev The position this action is about; what it owed is known before anything moves.
    function touch(bytes32 key) internal {
        touchedAt[key] = action;
        paidAt[deals[key].user] = action;
        (principalDue[key], feesDue[key]) = vault.debtOf(key);
    }

    function did(Deed deed) internal {
        ++deeds[deed];
    }

    function setUp() public virtual override {
        super.setUp();
        rememberPeople();
    }

    function beginAction() private {
        ++action;
        actor = address(0);
        priceBefore = pool.convertToAssets(1e18);
        entryBefore = pool.previewMint(1e18);
        impairedBefore = impairedUsdcUnits;
        reserveBefore = figures.reserve;
        lostUsdcUnits = 0;
        vm.recordLogs();
    }

    function endAction() private {
        fold(vm.getRecordedLogs());
        assertBookAsFolded();
        I4_only_losses_beyond_the_reserve_cost();
        I13_caps_bind_every_new_loan();
        I18_people_keep_what_they_own();
        for (uint256 i = 0; i < keys.length; ++i) I18_positions_change_by_their_own_actions(keys[i]);
        rememberPeople();
    }

    function factsOf(bytes32 key) internal view returns (Facts memory f) {
        address account = deals[key].account;
        f.position = vault.positionOf(key);
        f.live = vault.liveOrderOf(key);
        f.grant = vault.grantOf(key);
        f.cash = usdc.balanceOf(account);
        f.held = heldOf(key);
        f.allowance = usdc.allowance(account, address(exchange));
        f.approved = tokens.isApprovedForAll(account, address(exchange));
    }

    function rememberPeople() private {
        for (uint256 i = 0; i < people.length; ++i) {
            moneyBefore[people[i]] = usdc.balanceOf(people[i]);
            sharesBefore[people[i]] = sharesOf(people[i]);
        }
        for (uint256 i = 0; i < sides.length; ++i) lentBefore[sides[i].outcomeId] = lentOn[sides[i].outcomeId];
    }

    // ------------------------------------------------------------ after every action

    function I4_only_losses_beyond_the_reserve_cost() private {
        if (lostUsdcUnits != 0) did(Deed.Lost);
        if (lostUsdcUnits <= reserveBefore && impairedUsdcUnits <= impairedBefore) {
            assertGe(pool.convertToAssets(1e18), priceBefore, "I4 only losses beyond the reserve cost who leaves");
        }
        if (lostUsdcUnits <= reserveBefore) {
            assertGe(pool.previewMint(1e18) + 1, entryBefore, "I4 nothing else makes entering cheaper");
        }
        assertGe(pool.previewMint(1e18), pool.convertToAssets(1e18), "V5 no one enters for less than who leaves gets");
    }

    function I13_caps_bind_every_new_loan() private view {
        bool anything;
        for (uint256 i = 0; i < sides.length; ++i) {
            (uint256 lent, uint256 cap) = pool.outcomeLoanOf(sides[i].outcomeId);
            assertEq(lent, lentOn[sides[i].outcomeId], "I3 lent on the outcome");
            if (lent <= lentBefore[sides[i].outcomeId]) continue;
            anything = true;
            assertLe(lent, cap, "I13 outcome cap");
        }
        if (!anything) return;
        assertLe(figures.loans, parameters.totalCapUsdcUnits, "I13 total cap");
        uint256 all = figures.idle + figures.loans;
        assertLe(figures.loans * 10_000, all * parameters.utilisationBps, "I13 utilisation");
        uint256 caps;
        for (uint256 i = 0; i < providers.length; ++i) caps += askedCap(providers[i]);
        assertGe(figures.idle, caps, "I13 the caps of all requests stay");
        assertTrue(!vault.openingPaused(), "I21 nothing is lent while paused");
    }

    function I18_people_keep_what_they_own() private view {
        for (uint256 i = 0; i < people.length; ++i) {
            address who = people[i];
            assertPurseAsFolded(who);
            assertSharesAsFolded(who);
            if (who == actor) continue;
            uint256 money = usdc.balanceOf(who);
            if (paidAt[who] == action) assertGe(money, moneyBefore[who], "I18 no other's money is taken");
            else assertEq(money, moneyBefore[who], "I18 nor moved");
            assertEq(sharesOf(who), sharesBefore[who], "I18 nor shares");
        }
    }

    function I18_positions_change_by_their_own_actions(bytes32 key) private {
        Facts memory f = factsOf(key);
        bytes32 facts = keccak256(abi.encode(f));
        if (touchedAt[key] != action) {
            assertEq(facts, seen[key], "I18 only the position acted on changes");
            return;
        }
        seen[key] = facts;
        assertLineAsFolded(key, f.position, f.live, f.cash);
        assertGrantAsFolded(key, f.grant);
        assertLe(
            uint256(f.position.principalUsdcUnits) + f.position.badDebtUsdcUnits,
            lines[key].lent,
            "I16 the loan is never more than was lent"
        );
        N3_the_venue_takes_order_and_fee_at_most(key);
    }

    /// @dev All that was paid between one authorisation and the next, by whatever order: the allowance is all there is.
    function N3_the_venue_takes_order_and_fee_at_most(bytes32 key) private view {
        Line storage line = lines[key];
        if (line.lastMakerAmount == 0) return;
        assertLe(
            line.paidToVenue,
            line.lastMakerAmount + line.position.venueFeeUsdcUnits,
            "N3 at most order and venue fee, in USDC units"
        );
    }

    // ------------------------------------------------------------ at every event

    function onOpened(
        bytes32 key,
        uint256 principalUsdcUnits,
        uint256 tradeUsdcUnits,
        uint256 spentUsdcUnits,
        uint256 minTokenUnits
    ) internal override {
        did(Deed.Opened);
        (principalDue[key], feesDue[key]) = (principalUsdcUnits, 0);
        N4_no_fee_is_lent_that_own_money_can_pay(key, principalUsdcUnits, spentUsdcUnits);
        if (overrun[key]) return;
        uint256 price = vault.liquidationPriceOf(key);
        assertLe(price * 100, marks[key] * 99, "N4 nothing is liquidatable at its opening");
        IVault.Position memory p = lines[key].position;
        uint256 tokenUnits = p.tokenUnits;
        assertGe(tokenUnits * p.notionalUsdcUnits, tradeUsdcUnits * minTokenUnits, "I26 the minimum the user accepts");
        // A part fill rounds principal, fee and threshold up once more: less than four units of value.
        uint256 maximum = tokenUnits * p.maxLiquidationPricePips + 4 * 10_000;
        assertLe(price * tokenUnits, maximum, "I26 liquidated at the user's highest price at most");
    }

    /// @dev Whatever older orders, fees and rates did: the loan is its share of what was bought, or what the user's
    /// collateral and fee budget could not pay of all that was spent.
    function N4_no_fee_is_lent_that_own_money_can_pay(
        bytes32 key,
        uint256 principalUsdcUnits,
        uint256 spentUsdcUnits
    ) private view {
        IVault.Position storage p = lines[key].position;
        uint256 lent = p.notionalUsdcUnits - p.collateralUsdcUnits;
        uint256 share = (bought[key] * lent) / p.notionalUsdcUnits;
        uint256 own = uint256(p.collateralUsdcUnits) + p.venueFeeUsdcUnits;
        uint256 owed = spentUsdcUnits > own ? spentUsdcUnits - own : 0;
        assertGe(principalUsdcUnits, owed < lent ? owed : lent, "I7 own money pays before the loan");
        if (!liedAbout[key]) assertLe(principalUsdcUnits, share > owed ? share : owed, "N4 no fee is lent");
    }

    /// @dev R3 by the event alone: the sum stays within the grant, and each fill is at the price of its second or
    /// better, computed here from the path.
    function onFilled(
        bytes32 key,
        IVault.LiveGrant memory g,
        uint256 usdcUnits,
        uint256 tokenUnits,
        uint256 feeUsdcUnits
    ) internal override {
        bool buys = g.purpose == IVault.Purpose.Open;
        assertLe(g.filledUnits, g.mostUnits, "R3 never more than the grant");
        assertLe(block.timestamp, g.endsAt, "R3 nor later");
        uint256 validFor = g.validFor;
        uint256 elapsed = 2 * (block.timestamp - g.startsAt);
        if (elapsed > validFor) elapsed = validFor;
        uint256 path = g.startPips * (validFor - elapsed) + g.limitPips * elapsed;
        uint256 fee = g.venueFeeBps * elapsed;
        uint256 price = path * (buys ? 10_000 * validFor + fee : 10_000 * validFor - fee);
        uint256 scaled = usdcUnits * 1e8 * validFor * validFor;
        if (buys) assertLe(scaled, tokenUnits * price, "R3 no purchase above the price now");
        else assertGe(scaled, tokenUnits * price, "R3 no sale below the price now");
        assertLe(feeUsdcUnits * 10_000 * validFor, (usdcUnits + (buys ? 0 : feeUsdcUnits)) * fee, "the fee part");
        if (elapsed != 0) did(Deed.GrantFilledAfterStart);
        if (buys) bought[key] += usdcUnits - feeUsdcUnits;
    }

    function onRefunded(bytes32) internal override {
        did(Deed.Refunded);
    }

    function onDeferred(bytes32 key, uint256) internal override {
        did(Deed.Deferred);
        assertTrue(isBlacklisted(deals[key].user), "N6 only who cannot receive waits");
    }

    function onReduced(
        bytes32 key,
        IVault.Purpose purpose,
        uint256 sold,
        IVault.Distribution memory d
    ) internal override {
        bool finished = lines[key].position.state != IVault.PositionState.Open;
        if (lines[key].position.state == IVault.PositionState.Liquidated) did(Deed.Liquidated);
        else if (sold != 0) did(finished ? Deed.SoldWhole : Deed.SoldPart);
        if (finished && purpose == IVault.Purpose.Unwind) did(Deed.UnwoundWhole);
        uint256 debt = principalDue[key] + feesDue[key];
        uint256 left = lines[key].position.tokenUnits;
        if (d.recoveredUsdcUnits != 0) did(Deed.Recovered);
        checkDistribution(key, d, finished || purpose != IVault.Purpose.Close);
        if (purpose == IVault.Purpose.Liquidate && !finished) {
            uint256 unpaid = unpaidFee(lines[key].position.liquidationFeeBps, d);
            feesDue[key] += unpaid;
            if (unpaid != 0) did(Deed.FeeOwed);
        }
        bool part = lines[key].lastMakerAmount + 10_000 <= left + sold;
        // The sale of a meddled order is booked once, be it by the next authorisation.
        bool honest = !meddled[key];
        meddled[key] = false;
        if (finished || !part || !honest || purpose == IVault.Purpose.Liquidate) return;
        uint256 rest = principalDue[key] + feesDue[key];
        assertLe(rest * (left + sold), debt * left + 2 * (left + sold), "N5 debt per token");
    }

    function onSettled(bytes32 key, IVault.Distribution memory d) internal override {
        did(d.badDebtUsdcUnits == 0 ? Deed.Settled : Deed.SettledAtLoss);
        if (d.recoveredUsdcUnits != 0) did(Deed.Recovered);
        checkDistribution(key, d, true);
    }

    /// @dev The user pays the debt and gets the account's balance.
    function onExited(bytes32 key, IVault.Distribution memory d) internal override {
        did(Deed.Exited);
        uint256 paid = d.proceedsUsdcUnits - d.userUsdcUnits;
        assertEq(paid, principalDue[key] + feesDue[key], "an exit pays all that is owed");
        checkDistribution(key, d, true);
    }

    function onClaimed(bytes32 key, uint256 usdcUnits, uint256 recovered, uint256 tokenUnits) internal override {
        did(tokenUnits == 0 ? Deed.Claimed : Deed.TokensClaimed);
        if (recovered != 0) did(Deed.Recovered);
        if (usdcUnits != 0) assertEq(lines[key].position.badDebtUsdcUnits, 0, "I7 the pool is whole before the user");
    }

    /// @dev I7: the parts are the whole, in their order; no one pays more than is owed.
    function checkDistribution(bytes32 key, IVault.Distribution memory d, bool everythingIsDue) private {
        uint256 repaid = d.principalUsdcUnits + d.recoveredUsdcUnits;
        uint256 parts = repaid + d.lifetimeFeeUsdcUnits + d.liquidationFeeUsdcUnits + d.userUsdcUnits;
        assertEq(parts, d.proceedsUsdcUnits, "I7 the parts are the whole");
        assertLe(repaid + d.badDebtUsdcUnits, principalDue[key], "I16 never more than is owed");
        assertLe(d.lifetimeFeeUsdcUnits, feesDue[key], "I16 nor fees");
        if (everythingIsDue) {
            if (d.lifetimeFeeUsdcUnits + d.liquidationFeeUsdcUnits + d.userUsdcUnits != 0) {
                assertEq(repaid, principalDue[key], "I7 the loan is whole before fees and user");
            }
            if (d.liquidationFeeUsdcUnits + d.userUsdcUnits != 0) {
                assertEq(d.lifetimeFeeUsdcUnits, feesDue[key], "I7 the fees before the user");
            }
        }
        principalDue[key] -= repaid;
        feesDue[key] -= d.lifetimeFeeUsdcUnits;
    }
}
