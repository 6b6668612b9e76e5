// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IConditionalTokens} from "../../src/interfaces/IConditionalTokens.sol";
import {IPositionAccount} from "../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {LiquidityPool} from "../../src/LiquidityPool.sol";
import {Vault} from "../../src/Vault.sol";
import {TestUsdc} from "../../venue/TestUsdc.sol";
import {VenueExchange} from "../../venue/VenueExchange.sol";
import {Assertions} from "./Assertions.sol";

/// @notice The whole protocol with the real ConditionalTokens, and one short word for each step of a trade.
abstract contract VaultFixture is Assertions {
    uint256 internal constant START = 1_800_000_000;
    uint256 internal constant QUOTE_KEY = 0xA11CE01;
    uint256 internal constant PRICE_KEY = 0xA11CE02;
    uint256 internal constant MAKER_KEY = 0xA11CE03;
    uint256 internal constant USER_KEY = 0xA11CE04;
    bytes32 internal constant QUESTION = keccak256("question");

    address internal owner = address(0x0a01);
    address internal guardian = address(0x0a02);
    address internal keeper = address(0x0a03);
    address internal oracle = address(0x0a04);
    address internal operator = address(0x0a05);
    address internal treasury = address(0x0a06);
    address internal feeReceiver = address(0x0a07);
    address internal lp = address(0x0a08);
    address internal bob = address(0x0a09);
    address internal stranger = address(0x0a0a);
    address internal alice = vm.addr(USER_KEY);
    address internal maker = vm.addr(MAKER_KEY);

    TestUsdc internal usdc;
    IConditionalTokens internal tokens;
    VenueExchange internal exchange;
    Vault internal vault;
    LiquidityPool internal pool;

    bytes32 internal conditionId;
    uint256 internal yesId;
    uint256 internal noId;
    uint32 internal yesOutcome;
    uint256 internal nextSalt = 1;

    function setUp() public virtual {
        vm.warp(START);
        usdc = deployUsdc();
        tokens = IConditionalTokens(deployConditionalTokens());
        exchange = deployExchange();
        vault = deployVault(deployment());
        pool = LiquidityPool(vault.pool());
        (conditionId, yesId, noId) = prepareMarket(QUESTION);
        yesOutcome = vault.registerOutcome(oracle, QUESTION, 1);
        fundPool(500_000e6, 25_000e6);
        fundMaker();
        fundUser(alice, 1_000_000e6);
        fundUser(bob, 1_000_000e6);
    }

    // ------------------------------------------------------------ world

    function deployConditionalTokens() internal returns (address deployed) {
        string memory json = vm.readFile(
            "node_modules/@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json"
        );
        bytes memory code = vm.parseJsonBytes(json, ".bytecode");
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        assertTrue(deployed != address(0), "ConditionalTokens deployed");
    }

    /// @dev Code comes from artifacts here: with `new`, every test contract would compile the same contracts once more.
    function deployVault(Vault.Deployment memory d) internal returns (Vault deployed) {
        return Vault(deploy("Vault.sol:Vault", abi.encode(d)));
    }

    function deployUsdc() internal returns (TestUsdc deployed) {
        return TestUsdc(deploy("TestUsdc.sol:TestUsdc", ""));
    }

    function deployExchange() internal returns (VenueExchange deployed) {
        bytes memory arguments = abi.encode(usdc, tokens, owner, operator, feeReceiver);
        return VenueExchange(deploy("VenueExchange.sol:VenueExchange", arguments));
    }

    function deploy(string memory artifact, bytes memory arguments) internal returns (address deployed) {
        bytes memory code = bytes.concat(vm.getCode(artifact), arguments);
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
            if iszero(deployed) {
                returndatacopy(0x00, 0x00, returndatasize())
                revert(0x00, returndatasize())
            }
        }
    }

    function deployment() internal view returns (Vault.Deployment memory d) {
        d.owner = owner;
        d.guardian = guardian;
        d.treasury = treasury;
        d.quoteSigner = vm.addr(QUOTE_KEY);
        d.priceSigners = new address[](1);
        d.priceSigners[0] = vm.addr(PRICE_KEY);
        d.keepers = new address[](1);
        d.keepers[0] = keeper;
        d.oracles = new address[](1);
        d.oracles[0] = oracle;
        d.builders = new bytes32[](1);
        d.builders[0] = bytes32("builder");
        d.usdc = address(usdc);
        d.conditionalTokens = address(tokens);
        d.ctfCollateral = address(usdc);
        d.redeemer = address(tokens);
        d.exchange = address(exchange);
        d.poolParameters = ILiquidityPool.Parameters({
            totalCapUsdcUnits: 1_000_000e6,
            defaultOutcomeCapUsdcUnits: 200_000e6,
            utilisationBps: 8_000,
            protocolCutBps: 2_000,
            originationReserveBps: 5_000,
            reserveTargetBps: 500
        });
    }

    function prepareMarket(bytes32 question) internal returns (bytes32 condition, uint256 yes, uint256 no) {
        tokens.prepareCondition(oracle, question, 2);
        condition = tokens.getConditionId(oracle, question, 2);
        yes = tokens.getPositionId(address(usdc), tokens.getCollectionId(bytes32(0), condition, 1));
        no = tokens.getPositionId(address(usdc), tokens.getCollectionId(bytes32(0), condition, 2));
        exchange.registerMarket(condition);
    }

    function fundPool(uint256 liquidity, uint256 reserve) internal {
        usdc.mint(lp, liquidity + reserve);
        vm.startPrank(lp, lp);
        usdc.approve(address(pool), type(uint256).max);
        if (liquidity != 0) pool.deposit(liquidity, lp);
        if (reserve != 0) pool.fundReserve(reserve);
        vm.stopPrank();
    }

    function fundMaker() internal {
        usdc.mint(maker, 20_000_000e6);
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        vm.startPrank(maker, maker);
        usdc.approve(address(tokens), type(uint256).max);
        usdc.approve(address(exchange), type(uint256).max);
        tokens.setApprovalForAll(address(exchange), true);
        tokens.splitPosition(address(usdc), bytes32(0), conditionId, partition, 5_000_000e6);
        vm.stopPrank();
    }

    function fundUser(address user, uint256 usdcUnits) internal {
        usdc.mint(user, usdcUnits);
        vm.prank(user, user);
        usdc.approve(address(vault), type(uint256).max);
    }

    function resolve(uint256 yesPayout, uint256 noPayout) internal {
        uint256[] memory payouts = new uint256[](2);
        (payouts[0], payouts[1]) = (yesPayout, noPayout);
        vm.prank(oracle, oracle);
        tokens.reportPayouts(QUESTION, payouts);
    }

    function skip(uint256 elapsed) internal {
        vm.warp(block.timestamp + elapsed);
    }

    // ------------------------------------------------------------ quotes

    /// @dev 100 USD of collateral at 3x on YES, 1 % origination, 10 % APR, 1 % liquidation fee.
    function request() internal view returns (IVault.CreateRequest memory r) {
        return requestOf(bytes16(uint128(1) << 120), 100e6, 30_000);
    }

    function requestOf(
        bytes16 seed,
        uint256 collateral,
        uint32 leverageBps
    ) internal view returns (IVault.CreateRequest memory r) {
        r.positionSeed = seed;
        r.venueMarketId = conditionId;
        r.venueTokenId = yesId;
        r.collateralUsdcUnits = collateral;
        r.leverageBps = leverageBps;
        r.notionalUsdcUnits = (collateral * leverageBps) / 10_000;
        r.originationFeeBps = 100;
        r.lifetimeFeeAprBps = 1_000;
        r.liquidationFeeBps = 100;
        r.signatureExpiry = block.timestamp + 15;
        r.venueFeeUsdcUnits = (r.notionalUsdcUnits * 400) / 10_000;
        r.minPositionTokenUnits = 0;
        r.maxLiquidationPricePips = 10_000;
        r.minFillBps = 10_000;
    }

    function quoteDigest(IVault.CreateRequest memory r, address user) internal view returns (bytes32) {
        bytes memory head = abi.encodePacked(
            "CREATE_POSITION",
            r.positionSeed,
            user,
            r.venueMarketId,
            r.venueTokenId,
            r.collateralUsdcUnits,
            r.leverageBps
        );
        bytes memory tail = abi.encodePacked(
            r.notionalUsdcUnits,
            r.originationFeeBps,
            r.lifetimeFeeAprBps,
            r.liquidationFeeBps,
            r.signatureExpiry,
            block.chainid,
            address(vault)
        );
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", keccak256(bytes.concat(head, tail))));
    }

    function signed(uint256 privateKey, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }

    function signQuote(IVault.CreateRequest memory r, address user) internal view returns (bytes memory) {
        return signed(QUOTE_KEY, quoteDigest(r, user));
    }

    function create(IVault.CreateRequest memory r, address user) internal returns (bytes32 key) {
        bytes memory signature = signQuote(r, user);
        vm.prank(user, user);
        return vault.createPosition(r, signature);
    }

    function create() internal returns (bytes32 key) {
        return create(request(), alice);
    }

    // ------------------------------------------------------------ attestations

    function attestation(
        IVault.Purpose purpose,
        uint32 markPips,
        uint32 limitPips
    ) internal view returns (IVault.PriceAttestation memory a) {
        a.marketId = conditionId;
        a.tokenId = yesId;
        a.purpose = uint8(purpose);
        a.markPips = markPips;
        a.limitPips = limitPips;
        a.venueFeeBps = 350;
        a.exitBufferBps = 800;
        a.observedAt = uint64(block.timestamp);
    }

    function attestationDigest(IVault.PriceAttestation memory a) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "PriceAttestation(bytes32 marketId,uint256 tokenId,uint8 purpose,uint32 markPips,uint32 limitPips,uint32 triggerPips,uint16 venueFeeBps,uint16 exitBufferBps,uint64 observedAt)"
        );
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Vault"),
                keccak256("1"),
                block.chainid,
                address(vault)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", separator, keccak256(abi.encode(typeHash, a))));
    }

    function signAttestation(IVault.PriceAttestation memory a) internal view returns (bytes memory) {
        return signed(PRICE_KEY, attestationDigest(a));
    }

    // ------------------------------------------------------------ orders

    function orderOf(
        bytes32 key,
        uint8 side,
        uint256 makerAmount,
        uint256 takerAmount
    ) internal returns (IVenueExchange.Order memory o) {
        o.salt = nextSalt++;
        o.maker = vault.accountOf(key);
        o.signer = o.maker;
        o.tokenId = yesId;
        o.makerAmount = makerAmount;
        o.takerAmount = takerAmount;
        o.side = side;
        o.signatureType = 3;
        o.timestamp = block.timestamp * 1000;
    }

    function authorize(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a
    ) internal returns (bytes32 orderHash) {
        bytes memory signature = signAttestation(a);
        uint64 validUntil = uint64(block.timestamp + (a.purpose == uint8(IVault.Purpose.Open) ? 120 : 60));
        vm.prank(keeper, keeper);
        return vault.authorizeOrder(key, IVault.Purpose(a.purpose), o, validUntil, a, signature);
    }

    /// @dev A buy of the whole notional (whole cents of tokens) at a price; mark = price.
    function authorizeOpen(bytes32 key, uint32 pricePips) internal returns (IVenueExchange.Order memory o) {
        uint256 notional = vault.positionOf(key).notionalUsdcUnits;
        uint256 tokenUnits = (notional * 10_000) / pricePips / 10_000 * 10_000;
        o = orderOf(key, 0, (tokenUnits * pricePips) / 10_000, tokenUnits);
        authorize(key, o, attestation(IVault.Purpose.Open, pricePips, pricePips));
    }

    function authorizeSale(
        bytes32 key,
        IVault.Purpose purpose,
        uint256 tokenUnits,
        uint32 pricePips
    ) internal returns (IVenueExchange.Order memory o) {
        o = orderOf(key, 1, tokenUnits, (tokenUnits * pricePips + 9_999) / 10_000);
        authorize(key, o, attestation(purpose, pricePips, pricePips));
    }

    function makerOrder(
        uint256 tokenId,
        uint8 side,
        uint256 makerAmount,
        uint256 takerAmount
    ) internal returns (IVenueExchange.Order memory o) {
        o.salt = nextSalt++;
        o.maker = maker;
        o.signer = maker;
        o.tokenId = tokenId;
        o.makerAmount = makerAmount;
        o.takerAmount = takerAmount;
        o.side = side;
        o.signature = signed(MAKER_KEY, exchange.hashOrder(o));
    }

    /// @dev Fills an account's order against one maker at exactly these amounts.
    function fill(
        IVenueExchange.Order memory o,
        uint256 gives,
        uint256 receives,
        uint256 fee
    ) internal {
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(o.tokenId, 1 - o.side, receives, gives);
        matchWith(o, makers, gives, receives, fee);
    }

    function matchWith(
        IVenueExchange.Order memory o,
        IVenueExchange.Order[] memory makers,
        uint256 gives,
        uint256 receives,
        uint256 fee
    ) internal {
        uint256[] memory fills = new uint256[](1);
        fills[0] = makers[0].makerAmount;
        vm.prank(operator, operator);
        exchange.matchOrders(o, makers, gives, receives, fills, fee, new uint256[](1));
    }

    function fillWhole(IVenueExchange.Order memory o, uint256 fee) internal {
        fill(o, o.makerAmount, o.takerAmount, fee);
    }

    // ------------------------------------------------------------ whole steps

    function finalize(bytes32 key) internal {
        vm.prank(keeper, keeper);
        vault.finalize(key);
    }

    /// @dev An open position bought wholly at a price, with a venue fee of 3 % of the trade.
    function open(IVault.CreateRequest memory r, address user, uint32 pricePips) internal returns (bytes32 key) {
        key = create(r, user);
        IVenueExchange.Order memory o = authorizeOpen(key, pricePips);
        fillWhole(o, (o.makerAmount * 300) / 10_000);
        finalize(key);
    }

    function open() internal returns (bytes32 key) {
        return open(request(), alice, 5_000);
    }

    /// @dev Sells at a price with a venue fee of 3 % of the proceeds, and finalizes.
    function sell(bytes32 key, IVault.Purpose purpose, uint256 tokenUnits, uint32 pricePips) internal {
        IVenueExchange.Order memory o = authorizeSale(key, purpose, tokenUnits, pricePips);
        fillWhole(o, (o.takerAmount * 300) / 10_000);
        finalize(key);
    }

    function closeAll(bytes32 key, uint32 pricePips) internal {
        uint256 held = vault.positionOf(key).tokenUnits;
        vm.prank(vault.positionOf(key).user, vault.positionOf(key).user);
        vault.requestClose(key, held, 0);
        sell(key, IVault.Purpose.Close, held, pricePips);
    }

    // ------------------------------------------------------------ reading

    function stateOf(bytes32 key) internal view returns (IVault.PositionState) {
        return vault.positionOf(key).state;
    }

    function assertState(bytes32 key, IVault.PositionState expected) internal view {
        assertEq(uint256(stateOf(key)), uint256(expected), "state");
    }

    function principalOf(bytes32 key) internal view returns (uint256) {
        return vault.positionOf(key).principalUsdcUnits;
    }

    function tokensOf(bytes32 key) internal view returns (uint256) {
        return tokens.balanceOf(vault.accountOf(key), yesId);
    }

    function cashOf(bytes32 key) internal view returns (uint256) {
        return usdc.balanceOf(vault.accountOf(key));
    }

    /// @dev The allowances of a position's account: both off whenever no order is live.
    function assertAllowancesOff(bytes32 key) internal view {
        address account = vault.accountOf(key);
        assertEq(usdc.allowance(account, address(exchange)), 0, "USDC allowance");
        assertTrue(!tokens.isApprovedForAll(account, address(exchange)), "token approval");
    }

    function assertSolvent() internal view {
        (uint256 balance, uint256 booked) = pool.solvency();
        assertGe(balance, booked, "pool covered");
        assertEq(usdc.balanceOf(address(vault)), 0, "the vault holds no money");
    }
}
