// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {TestUsdc} from "../../venue/TestUsdc.sol";
import {LedgerAssertions} from "./LedgerAssertions.sol";

/// @notice Three markets with four outcomes, three users, three providers, and the keys that speak for the protocol.
abstract contract CampaignWorld is LedgerAssertions {
    struct Market {
        bytes32 question;
        bytes32 conditionId;
        bool resolved;
        uint256[2] payouts;
    }

    struct Side {
        uint32 outcomeId;
        uint256 market;
        uint256 tokenId;
        uint256 indexSet;
    }

    /// @notice What was wanted for a position and never changes.
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
    /// @dev Two of them sign an order, all of them while an alarm is on.
    uint256[] internal priceKeys;
    /// @dev When the alarm ends under which an order was granted; 0 for one granted under none.
    mapping(bytes32 orderHash => uint256 endsAt) internal grantedUntil;

    function setUp() public virtual override {
        vm.recordLogs();
        super.setUp();
        priceKeys = allPriceKeys();
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
        fold(vm.getRecordedLogs());
    }

    function toList(address a, address b, address c) private pure returns (address[] memory list) {
        list = new address[](3);
        (list[0], list[1], list[2]) = (a, b, c);
    }

    function addMarket(bytes32 question) private {
        bytes32 condition = conditionId;
        if (question != QUESTION) (condition, , ) = prepareMarket(question);
        markets.push(Market(question, condition, false, [uint256(0), 0]));
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        vm.prank(maker, maker);
        tokens.splitPosition(address(usdc), bytes32(0), condition, partition, 15_000_000e6);
    }

    function addSide(uint256 market, uint256 indexSet) private {
        uint32 outcomeId = vault.registerOutcome(oracle, markets[market].question, indexSet);
        sides.push(Side(outcomeId, market, vault.outcomeOf(outcomeId).tokenId, indexSet));
    }

    // ------------------------------------------------------------ reading

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
        return tokens.balanceOf(deals[key].account, sideOf(key).tokenId);
    }

    /// @dev What the position's tokens redeem for, once its market is resolved.
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

    function isLive(IVault.LiveOrder memory live) internal view returns (bool) {
        if (live.orderHash == 0 || block.timestamp > live.validUntil) return false;
        return !isAlarmed() || grantedUntil[live.orderHash] == vault.alarmEndsAt();
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
