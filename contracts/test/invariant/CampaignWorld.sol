// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConditionalTokens} from "../../src/interfaces/IConditionalTokens.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {PairFiller} from "../../src/periphery/PairFiller.sol";
import {TestUsdc} from "../../venue/TestUsdc.sol";
import {CallbackFiller} from "../fixtures/GrantFillers.sol";
import {LedgerAssertions} from "./LedgerAssertions.sol";

/// @notice Four markets with five outcomes, one of them on the second ledger, three users, three providers, and the
/// keys that speak for the protocol.
abstract contract CampaignWorld is LedgerAssertions {
    struct Market {
        bytes32 question;
        bytes32 conditionId;
        bool resolved;
        bool isManaged;
        uint256[2] payouts;
    }

    struct Side {
        uint32 outcomeId;
        uint256 market;
        uint256 tokenId;
        uint256 indexSet;
    }

    /// @notice Requested terms of a position, which never change.
    struct Deal {
        address user;
        address account;
        uint256 side;
    }

    uint256 internal constant MAX_POSITIONS = 12;

    Market[] internal markets;
    Side[] internal sides;
    bytes32[] internal keys;
    mapping(bytes32 key => Deal deal) internal deals;
    address[] internal users;
    address[] internal providers;
    /// @dev Everyone whose money no other's action may move.
    address[] internal people;

    address internal poolOwner = owner;
    /// @dev Hash of everything the last refused call answered.
    bytes32 private refusal;
    uint256 internal quoteKey = QUOTE_KEY;
    /// @dev Four: two of them sign an order, three while an alarm is on.
    uint256[] internal priceKeys;
    /// @dev End of the alarm under which a position's last order was granted in one, of either route.
    mapping(bytes32 key => uint256 endsAt) internal grantedUntil;
    /// @dev Fillers of grants: a plain account, a contract that reenters, and a user.
    CallbackFiller internal hostile;
    address[] internal fillers;
    /// @dev The plain account fills openings with pairs, too.
    PairFiller internal pairs;

    function setUp() public virtual override {
        vm.recordLogs();
        super.setUp();
        priceKeys = allPriceKeys();
        priceKeys.push(FOURTH_PRICE_KEY);
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(FOURTH_PRICE_KEY), true);
        // Fees up to the vault's own bound.
        vm.prank(owner, owner);
        exchange.setMaxFeeRate(1_000);
        address carol = address(0x0a0b);
        address dan = address(0x0a0c);
        (users, providers) = (toList(alice, bob, carol), toList(lp, bob, dan));
        people = toList(alice, bob, carol);
        people.push(lp);
        people.push(dan);
        people.push(treasury);
        fundUser(carol, 1_000_000e6);
        usdc.mint(maker, 60_000_000e6);
        addMarket(QUESTION);
        addMarket(keccak256("second question"));
        addMarket(keccak256("third question"));
        sides.push(Side(yesOutcome, 0, yesId, 1));
        addSide(0, 2);
        addSide(1, 1);
        addSide(2, 2);
        addManagedSide(keccak256("managed question"));
        addFillers();
        fold(vm.getRecordedLogs());
    }

    function addFillers() private {
        hostile = new CallbackFiller(vault);
        fillers = toList(filler, address(hostile), alice);
        usdc.mint(address(hostile), 1_000_000e6);
        pairs = PairFiller(deploy("PairFiller.sol:PairFiller", abi.encode(vault)));
        usdc.mint(filler, 20_000_000e6);
        vm.prank(filler, filler);
        usdc.approve(address(pairs), type(uint256).max);
        for (uint256 i = 0; i < fillers.length; ++i) {
            vm.startPrank(maker, maker);
            for (uint256 j = 0; j < sides.length; ++j) {
                ledgerOf(j).safeTransferFrom(maker, fillers[i], sides[j].tokenId, 2_000_000e6, "");
            }
            vm.stopPrank();
            vm.startPrank(fillers[i], fillers[i]);
            usdc.approve(address(vault), type(uint256).max);
            tokens.setApprovalForAll(address(vault), true);
            manager.setApprovalForAll(address(vault), true);
            vm.stopPrank();
        }
    }

    function toList(address a, address b, address c) private pure returns (address[] memory list) {
        list = new address[](3);
        (list[0], list[1], list[2]) = (a, b, c);
    }

    function addMarket(bytes32 question) private {
        bytes32 condition = conditionId;
        if (question != QUESTION) (condition, , ) = prepareMarket(question);
        markets.push(Market(question, condition, false, false, [uint256(0), 0]));
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        vm.prank(maker, maker);
        tokens.splitPosition(address(usdc), bytes32(0), condition, partition, 15_000_000e6);
    }

    function addSide(uint256 market, uint256 indexSet) private {
        uint32 outcomeId = vault.registerOutcome(oracle, markets[market].question, indexSet);
        sides.push(Side(outcomeId, market, vault.outcomeOf(outcomeId).tokenId, indexSet));
    }

    /// @dev The first outcome of a market of the PositionManager.
    function addManagedSide(bytes32 question) private {
        bytes31 condition = requested(question);
        markets.push(Market(question, bytes32(condition), false, true, [uint256(0), 0]));
        vm.startPrank(maker, maker);
        usdc.approve(address(router), type(uint256).max);
        router.split(condition, 15_000_000e6);
        vm.stopPrank();
        uint32 outcomeId = vault.registerManagedOutcome(condition, 0);
        sides.push(Side(outcomeId, markets.length - 1, vault.outcomeOf(outcomeId).tokenId, 1));
    }

    function hasLedger() internal pure override returns (bool) {
        return true;
    }

    // ------------------------------------------------------------ reading

    /// @dev Contract that holds the tokens of a side.
    function ledgerOf(uint256 side) internal view returns (IConditionalTokens) {
        return markets[sides[side].market].isManaged ? IConditionalTokens(address(manager)) : tokens;
    }

    /// @dev The other outcome's token of a position's market.
    function complementOf(bytes32 key) internal view returns (uint256) {
        Side memory side = sideOf(key);
        if (markets[side.market].isManaged) return side.tokenId ^ 1;
        bytes32 collection = tokens.getCollectionId(bytes32(0), markets[side.market].conditionId, 3 - side.indexSet);
        return tokens.getPositionId(address(usdc), collection);
    }

    function pick(uint256 seed) internal view returns (bytes32) {
        return keys.length == 0 ? bytes32(0) : keys[seed % keys.length];
    }

    function sideOf(bytes32 key) internal view returns (Side memory) {
        return sides[deals[key].side];
    }

    function marketOf(bytes32 key) internal view returns (Market memory) {
        return markets[sideOf(key).market];
    }

    function heldOf(bytes32 key) internal view returns (uint256) {
        return ledgerOf(deals[key].side).balanceOf(deals[key].account, sideOf(key).tokenId);
    }

    /// @dev Redemption value of the position's tokens, once its market is resolved.
    function redeemable(bytes32 key) internal view returns (uint256) {
        uint256[2] memory payouts = marketOf(key).payouts;
        return (heldOf(key) * payouts[sideOf(key).indexSet - 1]) / (payouts[0] + payouts[1]);
    }

    function cashIn(bytes32 key) internal view returns (uint256) {
        return usdc.balanceOf(deals[key].account);
    }

    function isOpen(bytes32 key) internal view returns (bool) {
        return key != 0 && stateOf(key) == IVault.PositionState.Open;
    }

    function isPending(bytes32 key) internal view returns (bool) {
        return key != 0 && stateOf(key) == IVault.PositionState.Pending;
    }

    /// @dev An order of either route that may be filled now.
    function isLive(bytes32 key) internal view returns (bool) {
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        if (live.purpose == IVault.Purpose.None || block.timestamp > live.validUntil) return false;
        return !isAlarmed() || grantedUntil[key] == vault.alarmEndsAt();
    }

    /// @dev A live order of the exchange.
    function isLiveOrder(bytes32 key) internal view returns (bool) {
        return isLive(key) && vault.liveOrderOf(key).orderHash != 0;
    }

    function isOutstanding(bytes32 key) internal view returns (bool) {
        return vault.liveOrderOf(key).purpose != IVault.Purpose.None;
    }

    /// @dev The outstanding order is a grant.
    function isGranted(bytes32 key) internal view returns (bool) {
        return isOutstanding(key) && vault.liveOrderOf(key).orderHash == 0;
    }

    function isAlarmed() internal view returns (bool) {
        return block.timestamp < vault.alarmEndsAt();
    }

    function isBlacklisted(address who) internal view returns (bool) {
        return usdc.isBlacklisted(who);
    }

    function sharesOf(address provider) internal view returns (uint256) {
        return pool.balanceOf(provider) + pool.redeemRequestOf(provider).shares;
    }

    // ------------------------------------------------------------ papers

    function quoteFor(
        uint256 side,
        uint256 collateral,
        uint32 leverageBps
    ) internal view returns (IVault.CreateRequest memory r) {
        r = requestOf(seedOf(keys.length), collateral, leverageBps);
        r.venueMarketId = markets[sides[side].market].conditionId;
        r.venueTokenId = sides[side].tokenId;
    }

    function seedOf(uint256 index) internal pure returns (bytes16) {
        return bytes16(uint128(index + 1) << 100);
    }

    function orderFor(
        bytes32 key,
        uint8 side,
        uint256 gives,
        uint256 receives
    ) internal returns (IVenueExchange.Order memory o) {
        o = orderOf(key, side, gives, receives);
        o.tokenId = sideOf(key).tokenId;
    }

    function attestationFor(
        bytes32 key,
        IVault.Purpose purpose,
        uint32 pricePips,
        uint16 venueFeeBps
    ) internal view returns (IVault.PriceAttestation memory a) {
        a = attestation(purpose, pricePips, pricePips);
        a.marketId = marketOf(key).conditionId;
        a.tokenId = sideOf(key).tokenId;
        a.venueFeeBps = venueFeeBps;
    }

    // ------------------------------------------------------------ calls

    /// @dev A call whose answer the caller judges. The recorder keeps what a reverted call emitted: that
    /// never happened, so it is thrown away.
    function attempt(address who, address to, bytes memory data) internal returns (bool done, bytes4 reason) {
        fold(vm.getRecordedLogs());
        vm.prank(who, who);
        bytes memory answer;
        (done, answer) = to.call(data);
        if (done) return (done, reason);
        vm.getRecordedLogs();
        if (answer.length > 3) reason = bytes4(answer);
        refusal = keccak256(answer);
        assertTrue(reason != 0, "I26 a refusal has a name");
        assertTrue(reason != bytes4(keccak256("Panic(uint256)")), "I26 nothing panics");
    }

    /// @dev Refused with exactly this error and these figures.
    function assertRefusedWith(bool done, bytes memory expected, string memory what) internal view {
        assertTrue(!done && refusal == keccak256(expected), what);
    }

    /// @dev Done, unless USDC blacklists who would pay or be paid: then by its own error and no other.
    function assertDoneUnlessBlacklisted(bool done, bytes4 reason, address who, string memory what) internal view {
        if (isBlacklisted(who)) assertRefused(done, reason, TestUsdc.Blacklisted.selector, what);
        else assertDone(done, reason, what);
    }

    /// @dev Done; otherwise the selector of the error that refused it is named.
    function assertDone(bool done, bytes4 reason, string memory what) internal pure {
        if (!done) revert Untrue(string.concat(what, ", refused by ", vm.toString(abi.encodePacked(reason))));
    }

    /// @dev Refused, and by this error; otherwise the selector of the other is named.
    function assertRefused(bool done, bytes4 reason, bytes4 expected, string memory what) internal pure {
        if (done) revert Untrue(string.concat(what, ", but done"));
        if (reason != expected) assertDone(false, reason, what);
    }
}
