// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ILiquidityPool} from "./interfaces/ILiquidityPool.sol";
import {NonRenounceableOwnable2Step} from "./NonRenounceableOwnable2Step.sol";
import {IncomeRelease} from "./libraries/IncomeRelease.sol";
import {LossFactor} from "./libraries/LossFactor.sol";
import {PoolBook} from "./libraries/PoolBook.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {BPS} from "./VaultConstants.sol";

/// @title LiquidityPool
/// @notice Provides what positions borrow. See ILiquidityPool for what each call does and assumes.
contract LiquidityPool is ILiquidityPool, ERC4626, NonRenounceableOwnable2Step, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;
    using UnitMath for uint256;
    using PoolBook for PoolBook.Figures;
    using IncomeRelease for IncomeRelease.Income;

    /// @dev USDC here and lent. Loans are lent and impaired ones together.
    struct StoredBook {
        uint64 idleUsdcUnits;
        uint64 loanUsdcUnits;
        uint64 reserveUsdcUnits;
        uint64 treasuryOwedUsdcUnits;
    }

    /// @dev Parts of the book that the share price leaves out, and the caps of all requests: one word, which loans and
    /// repayments without income leave alone. Times in 32 bits, until the year 2106.
    struct Adjustments {
        uint64 impairedUsdcUnits;
        uint64 requestedCapUsdcUnits;
        uint64 incomeUsdcUnits;
        uint32 incomeSince;
        uint32 incomeUntil;
    }

    /// @dev A provider's request in two words. Its cap is the lower of capUsdcUnits and scaledUnits by the loss factor.
    struct StoredRequest {
        uint256 shares;
        uint64 capUsdcUnits;
        uint40 maturesAt;
        uint152 scaledUnits;
    }

    /// @dev Loss factor of now, and the scaled units of all requests.
    struct RequestTotals {
        uint88 lossFactor;
        uint168 scaledUnits;
    }

    /// @notice Time from a redeem request until its shares may leave.
    uint256 public constant REDEEM_DELAY = 24 hours;
    uint256 private constant MAX_PROTOCOL_CUT_BPS = 5_000;
    uint256 private constant MIN_ORIGINATION_RESERVE_BPS = 5_000;
    uint256 private constant MAX_RESERVE_TARGET_BPS = 5_000;

    /// @inheritdoc ILiquidityPool
    address public immutable vault;
    /// @inheritdoc ILiquidityPool
    address public treasury;
    /// @inheritdoc ILiquidityPool
    uint256 public requestedShares;
    StoredBook private _book;
    Adjustments private _adjustments;
    Parameters private _parameters;
    mapping(uint32 outcomeId => OutcomeLoan loan) private _outcomeLoans;
    mapping(bytes32 positionKey => uint256 usdcUnits) private _impaired;
    mapping(address owner => StoredRequest request) private _redeemRequests;
    RequestTotals private _requestTotals = RequestTotals({lossFactor: uint88(LossFactor.ONE), scaledUnits: 0});

    modifier onlyVault() {
        if (msg.sender != vault) revert OnlyVault();
        _;
    }

    /// @dev Deployed by the vault's constructor, which becomes the only borrower.
    constructor(
        IERC20 usdc,
        address owner,
        address treasuryAddress,
        Parameters memory poolParameters
    ) ERC20("Leveraged Markets USDC", "lmUSDC") ERC4626(usdc) Ownable(owner) {
        vault = msg.sender;
        _setTreasury(treasuryAddress);
        _setParameters(poolParameters);
        // Never zero again, so that no booking pays for the first use of the word.
        _setNoIncome();
    }

    // ---------------------------------------------------------------- vault

    /// @inheritdoc ILiquidityPool
    function lend(
        bytes32 positionKey,
        uint32 outcomeId,
        address account,
        uint256 usdcUnits
    ) external onlyVault nonReentrant {
        uint256 free = freeLiquidity();
        if (usdcUnits > free) revert LiquidityExceeded(usdcUnits, free);
        OutcomeLoan storage loan = _outcomeLoans[outcomeId];
        free = _outcomeCap(loan).subtractOrZero(loan.loanUsdcUnits);
        if (usdcUnits > free) revert OutcomeCapExceeded(outcomeId, usdcUnits, free);

        PoolBook.Figures memory figures = _figures().lend(usdcUnits);
        _store(figures);
        loan.loanUsdcUnits = (loan.loanUsdcUnits + usdcUnits).toUint64();

        emit Lent(positionKey, outcomeId, account, usdcUnits);
        IERC20(asset()).safeTransfer(account, usdcUnits);
        _assertCovered(figures);
    }

    /// @inheritdoc ILiquidityPool
    function book(bytes32 positionKey, uint32 outcomeId, Booking calldata booking) external onlyVault nonReentrant {
        PoolBook.Figures memory figures = _figures();
        // Without shares no one owns what is idle, and there was none before: whatever comes goes to the reserve.
        bool orphaned = figures.idle == 0 && totalSupply() == 0;
        if (booking.badDebtUsdcUnits > figures.reserve) {
            _lowerLossFactor(figures, booking.badDebtUsdcUnits - figures.reserve);
        }
        uint256 income;
        (figures, income) = figures.book(_parameters, booking);
        _store(figures);
        uint256 ended = booking.principalUsdcUnits + booking.badDebtUsdcUnits;
        if (ended != 0) {
            OutcomeLoan storage loan = _outcomeLoans[outcomeId];
            loan.loanUsdcUnits -= ended.toUint64();
            if (loan.impairedUsdcUnits != 0) {
                _setImpaired(positionKey, loan, _impaired[positionKey].subtractOrZero(ended));
            }
        }
        if (income != 0) _setIncome(_income().add(income, block.timestamp));

        emit Booked(positionKey, outcomeId, booking);
        if (orphaned) _giveIdleToReserve();
        _assertCovered(figures);
    }

    /// @inheritdoc ILiquidityPool
    function impair(
        bytes32 positionKey,
        uint32 outcomeId,
        uint256 usdcUnits
    ) external onlyVault nonReentrant {
        _setImpaired(positionKey, _outcomeLoans[outcomeId], usdcUnits);
        emit Impaired(positionKey, outcomeId, usdcUnits);
    }

    // ---------------------------------------------------------------- providers

    /// @inheritdoc ILiquidityPool
    function requestRedeem(
        uint256 shares,
        uint256 minUsdcUnits
    ) external nonReentrant returns (uint256 capUsdcUnits) {
        if (shares == 0) revert NoShares();
        _transfer(msg.sender, address(this), shares);
        capUsdcUnits = previewRedeem(shares);
        if (capUsdcUnits < minUsdcUnits) revert WorthBelowMinimum(capUsdcUnits, minUsdcUnits);
        StoredRequest storage request = _redeemRequests[msg.sender];
        uint256 scaled = LossFactor.scale(_entryWorth(shares), _requestTotals.lossFactor);
        uint256 sharesBefore = request.shares;
        uint256 capBefore = sharesBefore == 0 ? 0 : _capOf(request).min(previewRedeem(sharesBefore));
        request.shares = sharesBefore + shares;
        request.maturesAt = uint40(block.timestamp + REDEEM_DELAY);
        _setCap(request, capBefore + capUsdcUnits, request.scaledUnits + scaled);
        requestedShares += shares;

        emit RedeemRequested(msg.sender, shares, capUsdcUnits, request.maturesAt);
        emit RedeemCapped(msg.sender, request.capUsdcUnits, request.scaledUnits);
    }

    /// @inheritdoc ILiquidityPool
    function redeem(
        uint256 shares,
        address receiver,
        address owner
    ) public override(ERC4626, ILiquidityPool) nonReentrant returns (uint256 usdcUnits) {
        if (shares == 0) revert NoShares();
        uint256 maximum = maxRedeem(owner);
        if (shares > maximum) revert ERC4626ExceededMaxRedeem(owner, shares, maximum);
        StoredRequest storage request = _redeemRequests[owner];
        uint256 worth = previewRedeem(shares);
        uint256 cap = _capOf(request);
        usdcUnits = Math.mulDiv(cap, shares, request.shares).min(worth);
        // All shares for all of the cap: more than that they never bring, so anyone may send them to their owner.
        bool isWhole = shares == request.shares && usdcUnits == cap && receiver == owner;
        if (msg.sender != owner && !isWhole) _spendAllowance(owner, msg.sender, shares);

        if (_adjustments.impairedUsdcUnits != 0) _raiseLossFactor(shares, worth);
        uint256 sharesLeft = request.shares - shares;
        _setCap(
            request,
            Math.mulDiv(cap, sharesLeft, request.shares),
            Math.mulDiv(request.scaledUnits, sharesLeft, request.shares, Math.Rounding.Ceil)
        );
        request.shares = sharesLeft;
        requestedShares -= shares;
        _book.idleUsdcUnits -= usdcUnits.toUint64();
        _burn(address(this), shares);

        emit Withdraw(msg.sender, receiver, owner, usdcUnits, shares);
        emit Redeemed(owner, receiver, shares, usdcUnits, worth - usdcUnits);
        if (totalSupply() == 0) _giveIdleToReserve();
        else if (worth != usdcUnits) _setIncome(_income().add(worth - usdcUnits, block.timestamp));
        IERC20(asset()).safeTransfer(receiver, usdcUnits);
        _assertCovered(_figures());
    }

    /// @dev ERC-4626: off. Shares leave through redeem, whose price depends on the request.
    function withdraw(uint256 assets, address, address owner) public pure override returns (uint256) {
        revert ERC4626ExceededMaxWithdraw(owner, assets, 0);
    }

    /// @inheritdoc ILiquidityPool
    function fundReserve(uint256 usdcUnits) external nonReentrant {
        _book.reserveUsdcUnits = (_book.reserveUsdcUnits + usdcUnits).toUint64();

        emit ReserveFunded(msg.sender, usdcUnits);
        IERC20(asset()).safeTransferFrom(msg.sender, address(this), usdcUnits);
        _assertCovered(_figures());
    }

    /// @inheritdoc ILiquidityPool
    function payTreasury() external nonReentrant returns (uint256 usdcUnits) {
        usdcUnits = _book.treasuryOwedUsdcUnits;
        _book.treasuryOwedUsdcUnits = 0;

        emit TreasuryPaid(treasury, usdcUnits);
        IERC20(asset()).safeTransfer(treasury, usdcUnits);
        _assertCovered(_figures());
    }

    // ---------------------------------------------------------------- owner

    /// @inheritdoc ILiquidityPool
    function setTreasury(address treasuryAddress) external onlyOwner {
        _setTreasury(treasuryAddress);
    }

    /// @inheritdoc ILiquidityPool
    function setParameters(Parameters calldata poolParameters) external onlyOwner {
        _setParameters(poolParameters);
    }

    /// @inheritdoc ILiquidityPool
    function setOutcomeCap(uint32 outcomeId, bool hasCap, uint64 capUsdcUnits) external onlyOwner {
        OutcomeLoan storage loan = _outcomeLoans[outcomeId];
        loan.hasCap = hasCap;
        loan.capUsdcUnits = hasCap ? capUsdcUnits : 0;
        emit OutcomeCapChanged(outcomeId, hasCap, loan.capUsdcUnits);
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc ILiquidityPool
    function bookOf() external view returns (Book memory poolBook) {
        StoredBook memory stored = _book;
        poolBook.idleUsdcUnits = stored.idleUsdcUnits;
        poolBook.impairedUsdcUnits = _adjustments.impairedUsdcUnits;
        poolBook.lentUsdcUnits = stored.loanUsdcUnits - poolBook.impairedUsdcUnits;
        poolBook.unreleasedUsdcUnits = uint64(_unreleased());
        poolBook.reserveUsdcUnits = stored.reserveUsdcUnits;
        poolBook.treasuryOwedUsdcUnits = stored.treasuryOwedUsdcUnits;
    }

    /// @inheritdoc ILiquidityPool
    function parametersOf() external view returns (Parameters memory poolParameters) {
        return _parameters;
    }

    /// @inheritdoc ILiquidityPool
    function outcomeLoanOf(
        uint32 outcomeId
    ) external view returns (uint256 loanUsdcUnits, uint256 capUsdcUnits) {
        OutcomeLoan storage loan = _outcomeLoans[outcomeId];
        return (loan.loanUsdcUnits, _outcomeCap(loan));
    }

    /// @inheritdoc ILiquidityPool
    function impairedOf(bytes32 positionKey) external view returns (uint256 usdcUnits) {
        return _impaired[positionKey];
    }

    /// @inheritdoc ILiquidityPool
    function redeemRequestOf(address owner) external view returns (RedeemRequest memory request) {
        StoredRequest storage stored = _redeemRequests[owner];
        request.shares = stored.shares;
        request.capUsdcUnits = uint64(_capOf(stored));
        request.maturesAt = stored.maturesAt;
    }

    /// @inheritdoc ILiquidityPool
    function solvency() external view returns (uint256 balanceUsdcUnits, uint256 bookedUsdcUnits) {
        return (IERC20(asset()).balanceOf(address(this)), _figures().booked());
    }

    /// @inheritdoc ILiquidityPool
    function freeLiquidity() public view returns (uint256 usdcUnits) {
        uint256 requested = _adjustments.requestedCapUsdcUnits;
        if (requested != 0) {
            RequestTotals memory totals = _requestTotals;
            requested = requested.min(LossFactor.unscaleUp(totals.scaledUnits, totals.lossFactor));
        }
        return _figures().freeLiquidity(_parameters, requested);
    }

    /// @dev ERC-4626: what the shares are worth by the book, never by balance: the exit figure.
    function totalAssets() public view override returns (uint256) {
        return _figures().exitAssets(_adjustments.impairedUsdcUnits, _unreleased());
    }

    /// @dev ERC-4626: what 64 bits still hold.
    function maxDeposit(address) public view override returns (uint256) {
        return uint256(type(uint64).max / 2).subtractOrZero(_figures().entryAssets(0));
    }

    /// @dev ERC-4626: maxDeposit in shares.
    function maxMint(address receiver) public view override returns (uint256) {
        return previewDeposit(maxDeposit(receiver));
    }

    /// @dev ERC-4626: at the entry price, in which impaired loans count in full; floor.
    function previewDeposit(uint256 assets) public view override returns (uint256) {
        return Math.mulDiv(assets, _allShares(), _entryAssets(), Math.Rounding.Floor);
    }

    /// @dev ERC-4626: at the entry price, in which impaired loans count in full; ceil.
    function previewMint(uint256 shares) public view override returns (uint256) {
        return Math.mulDiv(shares, _entryAssets(), _allShares(), Math.Rounding.Ceil);
    }

    /// @dev ERC-4626: always 0; see redeem.
    function maxWithdraw(address) public pure override returns (uint256) {
        return 0;
    }

    /// @dev ERC-4626: what the owner's matured request may take now, limited by idle.
    function maxRedeem(address owner) public view override returns (uint256) {
        StoredRequest storage request = _redeemRequests[owner];
        if (block.timestamp < request.maturesAt) return 0;
        uint256 shares = request.shares;
        uint256 idle = _book.idleUsdcUnits;
        uint256 cap = _capOf(request);
        if (cap.min(previewRedeem(shares)) <= idle) return shares;
        // The most shares that bring no more than idle by their cap, or by their worth: either bound is enough.
        uint256 byCap = Math.mulDiv(idle + 1, shares, cap, Math.Rounding.Ceil);
        return byCap.max(_convertToShares(idle + 1, Math.Rounding.Ceil)) - 1;
    }

    // ---------------------------------------------------------------- internal

    /// @dev USDC in, shares out. Money that brings no share would be idle and no one's.
    function _deposit(
        address caller,
        address receiver,
        uint256 assets,
        uint256 shares
    ) internal override nonReentrant {
        if (shares == 0) revert NoShares();
        _book.idleUsdcUnits = (_book.idleUsdcUnits + assets).toUint64();
        super._deposit(caller, receiver, assets, shares);
        _assertCovered(_figures());
    }

    /// @dev Six more decimals in shares make inflating the first share price pointless.
    function _decimalsOffset() internal pure override returns (uint8) {
        return 6;
    }

    /// @dev Every share with the virtual ones, as ERC4626 counts them.
    function _allShares() private view returns (uint256) {
        return totalSupply() + 10 ** _decimalsOffset();
    }

    /// @dev Return the worth of shares at the deposit price, in USDC units, floor.
    function _entryWorth(uint256 shares) private view returns (uint256) {
        return Math.mulDiv(shares, _entryAssets(), _allShares());
    }

    /// @dev Return what a request may still bring at most, in USDC units, floor.
    function _capOf(StoredRequest storage request) private view returns (uint256) {
        uint256 capUsdcUnits = request.capUsdcUnits;
        if (capUsdcUnits == 0) return 0;
        return capUsdcUnits.min(LossFactor.unscale(request.scaledUnits, _requestTotals.lossFactor));
    }

    /// @dev Replace both bounds of a request, in it and in the sums over all requests.
    function _setCap(StoredRequest storage request, uint256 capUsdcUnits, uint256 scaledUnits) private {
        uint256 requested = _adjustments.requestedCapUsdcUnits;
        _adjustments.requestedCapUsdcUnits = (requested + capUsdcUnits - request.capUsdcUnits).toUint64();
        uint256 scaled = _requestTotals.scaledUnits;
        _requestTotals.scaledUnits = (scaled + scaledUnits - request.scaledUnits).toUint168();
        request.capUsdcUnits = capUsdcUnits.toUint64();
        request.scaledUnits = scaledUnits.toUint152();
    }

    /// @dev Lower the caps of all requests by a loss that the reserve does not cover, in proportion to all assets.
    function _lowerLossFactor(PoolBook.Figures memory figures, uint256 lossUsdcUnits) private {
        uint256 assets = figures.entryAssets(_unreleased());
        _setLossFactor(LossFactor.afterLoss(_requestTotals.lossFactor, assets, lossUsdcUnits));
    }

    /// @dev Give the remaining shares the part of an impaired loan that the leaving ones were not paid for: a loss of
    /// that loan is theirs alone. Called before the shares leave.
    function _raiseLossFactor(uint256 shares, uint256 worthUsdcUnits) private {
        uint256 assets = _entryAssets();
        uint256 allShares = _allShares();
        uint256 scaled = Math.mulDiv(_requestTotals.lossFactor, assets - worthUsdcUnits, assets);
        _setLossFactor(Math.mulDiv(scaled, allShares, allShares - shares, Math.Rounding.Ceil));
    }

    function _setLossFactor(uint256 lossFactor) private {
        lossFactor = lossFactor.min(type(uint88).max);
        _requestTotals.lossFactor = uint88(lossFactor);
        emit LossFactorChanged(lossFactor);
    }

    /// @dev Return the price of entry of all shares, with the virtual unit.
    function _entryAssets() private view returns (uint256) {
        return _figures().entryAssets(_unreleased()) + 1;
    }

    function _income() private view returns (IncomeRelease.Income memory income) {
        Adjustments memory stored = _adjustments;
        (income.usdcUnits, income.since, income.until) = (
            stored.incomeUsdcUnits,
            stored.incomeSince,
            stored.incomeUntil
        );
    }

    function _unreleased() private view returns (uint256) {
        return _income().unreleased(block.timestamp);
    }

    function _setNoIncome() private {
        _setIncome(IncomeRelease.Income({usdcUnits: 0, since: block.timestamp, until: block.timestamp}));
    }

    function _setIncome(IncomeRelease.Income memory income) private {
        _adjustments.incomeUsdcUnits = income.usdcUnits.toUint64();
        _adjustments.incomeSince = uint32(income.since);
        _adjustments.incomeUntil = uint32(income.until);
    }

    /// @dev No share is left, or none was there: what would be the providers' takes losses from now on.
    function _giveIdleToReserve() private {
        uint64 usdcUnits = _book.idleUsdcUnits;
        _setNoIncome();
        _book.idleUsdcUnits = 0;
        _book.reserveUsdcUnits += usdcUnits;
        emit ReserveFunded(address(this), usdcUnits);
    }

    /// @dev The impaired part of a position's loan, in its outcome's and in the pool's sum.
    function _setImpaired(bytes32 positionKey, OutcomeLoan storage loan, uint256 usdcUnits) private {
        uint256 before = _impaired[positionKey];
        if (before == usdcUnits) return;
        _impaired[positionKey] = usdcUnits;
        loan.impairedUsdcUnits = (loan.impairedUsdcUnits + usdcUnits - before).toUint64();
        _adjustments.impairedUsdcUnits = (_adjustments.impairedUsdcUnits + usdcUnits - before).toUint64();
    }

    function _outcomeCap(OutcomeLoan storage loan) private view returns (uint256) {
        return loan.hasCap ? loan.capUsdcUnits : _parameters.defaultOutcomeCapUsdcUnits;
    }

    function _figures() private view returns (PoolBook.Figures memory figures) {
        StoredBook memory stored = _book;
        return
            PoolBook.Figures({
                idle: stored.idleUsdcUnits,
                loans: stored.loanUsdcUnits,
                reserve: stored.reserveUsdcUnits,
                treasuryOwed: stored.treasuryOwedUsdcUnits
            });
    }

    function _store(PoolBook.Figures memory figures) private {
        _book = StoredBook({
            idleUsdcUnits: figures.idle.toUint64(),
            loanUsdcUnits: figures.loans.toUint64(),
            reserveUsdcUnits: figures.reserve.toUint64(),
            treasuryOwedUsdcUnits: figures.treasuryOwed.toUint64()
        });
    }

    /// @dev After every booking: the USDC that is here covers what the book says is here.
    function _assertCovered(PoolBook.Figures memory figures) private view {
        uint256 balance = IERC20(asset()).balanceOf(address(this));
        uint256 booked = figures.booked();
        if (balance < booked) revert BookNotCovered(balance, booked);
    }

    function _setTreasury(address treasuryAddress) private {
        if (treasuryAddress == address(0)) revert ZeroAddress();
        treasury = treasuryAddress;
        emit TreasuryChanged(treasuryAddress);
    }

    function _setParameters(Parameters memory poolParameters) private {
        if (
            poolParameters.utilisationBps > BPS ||
            poolParameters.protocolCutBps > MAX_PROTOCOL_CUT_BPS ||
            poolParameters.originationReserveBps < MIN_ORIGINATION_RESERVE_BPS ||
            poolParameters.originationReserveBps > BPS ||
            poolParameters.reserveTargetBps > MAX_RESERVE_TARGET_BPS
        ) revert ParameterOutOfRange();
        _parameters = poolParameters;
        emit ParametersChanged(poolParameters);
    }
}
