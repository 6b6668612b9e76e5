// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConditionalTokens} from "../../src/interfaces/IConditionalTokens.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {TestUsdc} from "../../venue/TestUsdc.sol";
import {VenueExchange} from "../../venue/VenueExchange.sol";
import {Assertions} from "../fixtures/Assertions.sol";

/// @notice Two exchanges on one ConditionalTokens: what one settles, the other settles to the unit, and neither loses
/// or makes a unit of cash or of any token.
contract TwinExchangeTest is Assertions {
    uint256 private constant TRADERS = 4;
    uint256 private constant FIRST_KEY = 0x7E57;
    uint256 private constant START = 1e15;
    bytes32 private constant QUESTION = keccak256("question");

    /// @dev One order, the same for both exchanges but for its signature.
    struct Intent {
        uint8 side;
        bool isNo;
        uint256 makerAmount;
        uint256 takerAmount;
        uint256 fill;
        uint256 fee;
    }

    /// @dev Everything a match may change.
    struct Picture {
        bool done;
        uint256[3][TRADERS] held;
        uint256[TRADERS] allowances;
        uint256[3] ofReceiver;
        uint256[3] ofExchange;
        uint256[TRADERS] remaining;
        bool[TRADERS] filled;
    }

    address private owner = address(0x0a01);
    address private operator = address(0x0a05);
    address private receiver = address(0x0a07);
    TestUsdc private usdc;
    IConditionalTokens private tokens;
    IVenueExchange[2] private exchanges;
    bytes32 private condition;
    uint256[3] private ids;
    uint256 private salt;

    function setUp() public {
        usdc = TestUsdc(deploy(vm.getCode("TestUsdc.sol:TestUsdc")));
        string memory json = vm.readFile(
            "node_modules/@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json"
        );
        tokens = IConditionalTokens(deploy(vm.parseJsonBytes(json, ".bytecode")));
        tokens.prepareCondition(address(this), QUESTION, 2);
        condition = tokens.getConditionId(address(this), QUESTION, 2);
        for (uint256 set = 1; set < 3; ++set) {
            ids[set] = tokens.getPositionId(address(usdc), tokens.getCollectionId(bytes32(0), condition, set));
        }
        bytes memory made = abi.encode(
            VenueExchange.Deployment({
                collateral: address(usdc),
                conditionalTokens: address(tokens),
                ctfCollateral: address(usdc),
                outcomeTokenFactory: address(tokens),
                owner: owner,
                operator: operator,
                feeReceiver: receiver
            })
        );
        exchanges[0] = IVenueExchange(deploy(bytes.concat(vm.getCode("VenueExchange.sol:VenueExchange"), made)));
        exchanges[1] = IVenueExchange(deploy(bytes.concat(vm.getCode("TwinExchange.sol:TwinExchange"), made)));
        for (uint256 i = 0; i < TRADERS; ++i) fund(traderOf(i));
    }

    function deploy(bytes memory code) private returns (address deployed) {
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        assertTrue(deployed != address(0), "deployed");
    }

    function traderOf(uint256 index) private pure returns (address) {
        return vm.addr(FIRST_KEY + index);
    }

    function fund(address trader) private {
        usdc.mint(trader, 2 * START);
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        vm.startPrank(trader, trader);
        usdc.approve(address(tokens), START);
        tokens.splitPosition(address(usdc), bytes32(0), condition, partition, START);
        for (uint256 e = 0; e < 2; ++e) {
            usdc.approve(address(exchanges[e]), START);
            tokens.setApprovalForAll(address(exchanges[e]), true);
        }
        vm.stopPrank();
    }

    // ------------------------------------------------------------ laws

    /// @dev Prices that meet or just do not, any sizes, any fees: one match, and a second of the same orders.
    function testFuzz_both_settle_alike_and_conserve(uint256 seed) public {
        settleAlike(intentsOf(seed), seed);
    }

    /// @dev All makers are on the other side.
    function testFuzz_both_settle_direct_matches_alike(uint256 seed) public {
        Intent[] memory all = intentsOf(seed);
        for (uint256 i = 1; i < all.length; ++i) {
            if (all[i].side == all[0].side) mirror(all[i]);
        }
        sizeTaker(all, seed);
        settleAlike(all, seed);
    }

    /// @dev No maker is on the other side.
    function testFuzz_both_settle_pairs_alike(uint256 seed) public {
        Intent[] memory all = intentsOf(seed);
        for (uint256 i = 1; i < all.length; ++i) {
            if (all[i].side != all[0].side) mirror(all[i]);
        }
        sizeTaker(all, seed);
        settleAlike(all, seed);
    }

    /// @dev The sizes and prices of everyday are settled, not refused: else the laws above would say nothing.
    function test_half_of_the_matches_are_settled() public {
        uint256 done = 0;
        for (uint256 seed = 0; seed < 60; ++seed) {
            uint256 id = vm.snapshotState();
            Picture memory seen = settleOn(0, intentsOf(uint256(keccak256(abi.encode(seed)))), false);
            if (seen.done) ++done;
            vm.revertToState(id);
        }
        assertGe(done, 30, "at least half");
    }

    function settleAlike(Intent[] memory all, uint256 seed) private {
        // What lies in an exchange belongs to the next taker whose money it holds, in both.
        if (seed % 5 == 0) usdc.mint(address(exchanges[0]), seed % 1_000);
        if (seed % 5 == 0) usdc.mint(address(exchanges[1]), seed % 1_000);
        bool approved = seed % 7 == 0;
        uint256 start = vm.snapshotState();
        Picture memory first = settleOn(0, all, approved);
        vm.revertToState(start);
        assertAlike(first, settleOn(1, all, approved));
    }

    function settleOn(uint256 e, Intent[] memory all, bool approved) private returns (Picture memory seen) {
        IVenueExchange exchange = exchanges[e];
        uint256 cash = usdc.totalSupply();
        uint256 locked = usdc.balanceOf(address(tokens));
        uint256 heldOfYes = sumOf(exchange, 1);
        uint256 heldOfNo = sumOf(exchange, 2);
        IVenueExchange.Order[] memory orders = new IVenueExchange.Order[](all.length);
        salt = 0;
        for (uint256 i = 0; i < all.length; ++i) orders[i] = orderOf(exchange, all[i], i);
        if (approved) {
            vm.prank(operator, operator);
            exchange.preapproveOrder(orders[0]);
            orders[0].signature = "";
        }
        seen.done = matchOn(exchange, orders, all);
        // The same again finds less left, or nothing.
        matchOn(exchange, orders, all);
        for (uint256 i = 0; i < all.length; ++i) {
            (bool filled, uint248 remaining) = exchange.getOrderStatus(exchange.hashOrder(orders[i]));
            (seen.filled[i], seen.remaining[i]) = (filled, remaining);
        }
        for (uint256 i = 0; i < TRADERS; ++i) {
            seen.held[i] = holdingsOf(traderOf(i));
            seen.allowances[i] = usdc.allowance(traderOf(i), address(exchange));
        }
        seen.ofReceiver = holdingsOf(receiver);
        seen.ofExchange = holdingsOf(address(exchange));
        assertEq(usdc.totalSupply(), cash, "no cash made or burnt");
        assertEq(sumOf(exchange, 0) + usdc.balanceOf(address(tokens)), cash - otherCash(e), "all cash is somewhere");
        int256 minted = int256(usdc.balanceOf(address(tokens))) - int256(locked);
        assertEq(uint256(int256(heldOfYes) + minted), sumOf(exchange, 1), "YES by the pair");
        assertEq(uint256(int256(heldOfNo) + minted), sumOf(exchange, 2), "NO by the pair");
    }

    function matchOn(
        IVenueExchange exchange,
        IVenueExchange.Order[] memory orders,
        Intent[] memory all
    ) private returns (bool done) {
        uint256 count = all.length - 1;
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](count);
        uint256[] memory fills = new uint256[](count);
        uint256[] memory fees = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            (makers[i], fills[i], fees[i]) = (orders[i + 1], all[i + 1].fill, all[i + 1].fee);
        }
        vm.prank(operator, operator);
        (done, ) = address(exchange).call(
            abi.encodeCall(
                exchange.matchOrders,
                (condition, orders[0], makers, all[0].fill, fills, all[0].fee, fees)
            )
        );
    }

    // ------------------------------------------------------------ comparison

    function assertAlike(Picture memory one, Picture memory other) private pure {
        assertTrue(one.done == other.done, "both settle or both refuse");
        for (uint256 i = 0; i < TRADERS; ++i) {
            assertSame(one.held[i], other.held[i], "what a trader holds");
            assertEq(one.allowances[i], other.allowances[i], "allowance");
            assertEq(one.remaining[i], other.remaining[i], "remaining");
            assertTrue(one.filled[i] == other.filled[i], "filled");
        }
        assertSame(one.ofReceiver, other.ofReceiver, "fees");
        assertSame(one.ofExchange, other.ofExchange, "what stays in the exchange");
    }

    function assertSame(uint256[3] memory one, uint256[3] memory other, string memory what) private pure {
        for (uint256 k = 0; k < 3; ++k) assertEq(one[k], other[k], what);
    }

    /// @dev USDC, YES, NO.
    function holdingsOf(address who) private view returns (uint256[3] memory held) {
        held = [usdc.balanceOf(who), tokens.balanceOf(who, ids[1]), tokens.balanceOf(who, ids[2])];
    }

    /// @dev USDC of the exchange that does not settle.
    function otherCash(uint256 e) private view returns (uint256) {
        return usdc.balanceOf(address(exchanges[1 - e]));
    }

    function sumOf(IVenueExchange exchange, uint256 kind) private view returns (uint256 sum) {
        for (uint256 i = 0; i < TRADERS; ++i) sum += holdingsOf(traderOf(i))[kind];
        sum += holdingsOf(receiver)[kind] + holdingsOf(address(exchange))[kind];
    }

    // ------------------------------------------------------------ orders

    /// @dev A taker and one to three makers around one price; the makers' prices are up to 3 % better, some 1 % worse.
    function intentsOf(uint256 seed) private pure returns (Intent[] memory all) {
        all = new Intent[](2 + (uint256(keccak256(abi.encode(seed, "count"))) % (TRADERS - 1)));
        uint256 pips = 200 + (seed % 9_600);
        all[0].side = uint8((seed >> 20) % 2);
        all[0].isNo = (seed >> 21) % 2 == 1;
        for (uint256 i = 1; i < all.length; ++i) {
            uint256 draw = uint256(keccak256(abi.encode(seed, i)));
            Intent memory maker = all[i];
            maker.side = uint8(draw % 2);
            maker.isNo = maker.side == all[0].side ? !all[0].isNo : all[0].isNo;
            uint256 own = maker.side == all[0].side ? 10_000 - pips : pips;
            // Buyers pay more, sellers ask less: that is the better price for the taker.
            uint256 better = (own * ((draw >> 8) % 300)) / 10_000;
            if ((draw >> 20) % 8 == 0) own = maker.side == 0 ? own - own / 100 : own + own / 100;
            else own = maker.side == 0 ? own + better : own - better;
            uint256 tokenUnits = 1 + ((draw >> 40) % 1e10);
            setAmounts(maker, tokenUnits, own, draw >> 100);
        }
        uint256 size = 1 + (uint256(keccak256(abi.encode(seed, "size"))) % 3e10);
        setAmounts(all[0], size, pips, seed >> 60);
        sizeTaker(all, seed);
    }

    function setAmounts(Intent memory intent, uint256 tokenUnits, uint256 pips, uint256 draw) private pure {
        uint256 usdcUnits = (tokenUnits * pips) / 10_000 + (draw % 3);
        (intent.makerAmount, intent.takerAmount) = intent.side == 0
            ? (usdcUnits, tokenUnits)
            : (tokenUnits, usdcUnits);
        if (intent.makerAmount == 0) intent.makerAmount = 1;
        intent.fill = draw % 4 == 0 ? 1 + ((draw >> 10) % intent.makerAmount) : intent.makerAmount;
        uint256 traded = intent.side == 0 ? intent.fill : (intent.fill * intent.takerAmount) / intent.makerAmount;
        if ((draw >> 50) % 3 != 0) intent.fee = (traded * ((draw >> 60) % 1_020)) / 10_000;
    }

    /// @dev The same quantity from the other side of the other token, at the same odds.
    function mirror(Intent memory intent) private pure {
        (uint256 usdcUnits, uint256 tokenUnits) = intent.side == 0
            ? (intent.makerAmount, intent.takerAmount)
            : (intent.takerAmount, intent.makerAmount);
        uint256 part = intent.fill;
        uint256 whole = intent.makerAmount;
        (intent.side, intent.isNo) = (1 - intent.side, !intent.isNo);
        uint256 rest = tokenUnits > usdcUnits ? tokenUnits - usdcUnits : 0;
        (intent.makerAmount, intent.takerAmount) = intent.side == 0 ? (rest + 1, tokenUnits) : (tokenUnits + 1, rest);
        intent.fill = 1 + ((intent.makerAmount - 1) * part) / whole;
        if (intent.fill > intent.makerAmount) intent.fill = intent.makerAmount;
    }

    /// @dev The taker gives what its makers need of it: exactly, a little more or less, or all it has; and its order is
    /// as large as that, or a little too small.
    function sizeTaker(Intent[] memory all, uint256 seed) private pure {
        Intent memory taker = all[0];
        uint256 need = 0;
        for (uint256 i = 1; i < all.length; ++i) need += needOf(taker, all[i]);
        uint256 mode = (seed >> 30) % 8;
        taker.fill = need + 1;
        if (mode == 0) taker.fill = need == 0 ? 1 : need;
        if (mode == 1) taker.fill = need + (seed >> 40) % 1_000;
        if (mode == 2 && need > 1) taker.fill = need - 1;
        if (taker.fill > taker.makerAmount) {
            // The same price for as much as is needed.
            taker.takerAmount = (taker.takerAmount * taker.fill) / taker.makerAmount;
            taker.makerAmount = mode == 7 ? taker.fill - 1 : taker.fill + (seed >> 50) % 2;
        }
        if (taker.makerAmount == 0) taker.makerAmount = 1;
        uint256 traded = taker.side == 0 ? taker.fill : (taker.fill * taker.takerAmount) / taker.makerAmount;
        taker.fee = (traded * ((seed >> 70) % 1_020)) / 10_000;
        // A taker's price gives a little, so that floors on the way do not stop every match.
        taker.takerAmount -= taker.takerAmount / 500;
    }

    function needOf(Intent memory taker, Intent memory maker) private pure returns (uint256) {
        uint256 into = (maker.fill * maker.takerAmount) / maker.makerAmount;
        if (maker.side != taker.side) return into;
        if (taker.side == 1) return maker.fill;
        return into > maker.fill ? into - maker.fill : 0;
    }

    function orderOf(
        IVenueExchange exchange,
        Intent memory intent,
        uint256 index
    ) private returns (IVenueExchange.Order memory o) {
        o.salt = ++salt;
        o.maker = traderOf(index);
        o.signer = o.maker;
        o.tokenId = ids[intent.isNo ? 2 : 1];
        o.makerAmount = intent.makerAmount;
        o.takerAmount = intent.takerAmount;
        o.side = intent.side;
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(FIRST_KEY + index, exchange.hashOrder(o));
        o.signature = abi.encodePacked(r, s, v);
    }
}
