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
import {LastingOwner} from "./LastingOwner.sol";
import {PoolBook} from "./libraries/PoolBook.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {BPS} from "./VaultConstants.sol";

/// @title LiquidityPool
/// @notice Provides what positions borrow. See ILiquidityPool for what each call does and assumes.
contract LiquidityPool is ILiquidityPool, ERC4626, LastingOwner, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;
    using UnitMath for uint256;
    using PoolBook for PoolBook.Figures;

    /// @notice Time from a redeem request until its shares may leave.
    uint256 public constant REDEEM_DELAY = 24 hours;
    /// @notice Time a matured request stays usable; nobody keeps a standing exit while earning.
    uint256 public constant REDEEM_WINDOW = 24 hours;
    uint256 private constant MAX_PROTOCOL_CUT_BPS = 5_000;
    uint256 private constant MIN_ORIGINATION_RESERVE_BPS = 5_000;
    uint256 private constant MAX_RESERVE_TARGET_BPS = 5_000;

    /// @inheritdoc ILiquidityPool
    address public immutable vault;
    /// @inheritdoc ILiquidityPool
    address public treasury;
    /// @inheritdoc ILiquidityPool
    uint256 public requestedShares;
    Book private _book;
    Parameters private _parameters;
    mapping(uint32 outcomeId => OutcomeLoan loan) private _outcomeLoans;
    mapping(address owner => RedeemRequest request) private _redeemRequests;

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
        free = _outcomeCap(loan).subtractOrZero(loan.lentUsdcUnits);
        if (usdcUnits > free) revert OutcomeCapExceeded(outcomeId, usdcUnits, free);

        _store(_figures().lend(usdcUnits));
        loan.lentUsdcUnits = (loan.lentUsdcUnits + usdcUnits).toUint64();

        emit Lent(positionKey, outcomeId, account, usdcUnits);
        IERC20(asset()).safeTransfer(account, usdcUnits);
        _assertCovered();
    }

    /// @inheritdoc ILiquidityPool
    function book(bytes32 positionKey, uint32 outcomeId, Booking calldata booking) external onlyVault nonReentrant {
        _store(_figures().book(_parameters, booking));
        uint256 ended = booking.principalUsdcUnits + booking.badDebtUsdcUnits;
        if (ended != 0) _outcomeLoans[outcomeId].lentUsdcUnits -= ended.toUint64();

        emit Booked(positionKey, outcomeId, booking);
        _assertCovered();
    }

    // ---------------------------------------------------------------- providers

    /// @inheritdoc ILiquidityPool
    function requestRedeem(uint256 shares) external nonReentrant {
        if (shares == 0) revert NoShares();
        RedeemRequest storage request = _redeemRequests[msg.sender];
        request.shares = (request.shares + shares).toUint128();
        request.maturesAt = uint40(block.timestamp + REDEEM_DELAY);
        request.lapsesAt = uint40(block.timestamp + REDEEM_DELAY + REDEEM_WINDOW);
        requestedShares += shares;

        emit RedeemRequested(msg.sender, shares, request.shares, request.maturesAt);
        _transfer(msg.sender, address(this), shares);
    }

    /// @inheritdoc ILiquidityPool
    function cancelRedeem(address owner, uint256 shares) external nonReentrant {
        if (shares == 0) revert NoShares();
        RedeemRequest storage request = _redeemRequests[owner];
        if (msg.sender != owner && block.timestamp <= request.lapsesAt) revert RequestStillUsable();
        if (shares > request.shares) revert RequestTooSmall(shares, request.shares);
        request.shares -= uint128(shares);
        requestedShares -= shares;

        emit RedeemCancelled(owner, shares);
        _transfer(address(this), owner, shares);
    }

    /// @inheritdoc ILiquidityPool
    function fundReserve(uint256 usdcUnits) external nonReentrant {
        _book.reserveUsdcUnits = (_book.reserveUsdcUnits + usdcUnits).toUint64();

        emit ReserveFunded(msg.sender, usdcUnits);
        IERC20(asset()).safeTransferFrom(msg.sender, address(this), usdcUnits);
        _assertCovered();
    }

    /// @inheritdoc ILiquidityPool
    function payTreasury() external nonReentrant returns (uint256 usdcUnits) {
        usdcUnits = _book.treasuryOwedUsdcUnits;
        _book.treasuryOwedUsdcUnits = 0;

        emit TreasuryPaid(treasury, usdcUnits);
        IERC20(asset()).safeTransfer(treasury, usdcUnits);
        _assertCovered();
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
        return _book;
    }

    /// @inheritdoc ILiquidityPool
    function parametersOf() external view returns (Parameters memory poolParameters) {
        return _parameters;
    }

    /// @inheritdoc ILiquidityPool
    function outcomeLoanOf(
        uint32 outcomeId
    ) external view returns (uint256 lentUsdcUnits, uint256 capUsdcUnits) {
        OutcomeLoan storage loan = _outcomeLoans[outcomeId];
        return (loan.lentUsdcUnits, _outcomeCap(loan));
    }

    /// @inheritdoc ILiquidityPool
    function redeemRequestOf(address owner) external view returns (RedeemRequest memory request) {
        return _redeemRequests[owner];
    }

    /// @inheritdoc ILiquidityPool
    function solvency() external view returns (uint256 balanceUsdcUnits, uint256 bookedUsdcUnits) {
        return (IERC20(asset()).balanceOf(address(this)), _bookedUsdcUnits());
    }

    /// @inheritdoc ILiquidityPool
    function freeLiquidity() public view returns (uint256 usdcUnits) {
        uint256 shares = requestedShares;
        uint256 requestedUsdcUnits = shares == 0 ? 0 : _convertToAssets(shares, Math.Rounding.Ceil);
        return _figures().freeLiquidity(_parameters, requestedUsdcUnits);
    }

    /// @dev ERC-4626: the providers' assets by the book, never by balance.
    function totalAssets() public view override returns (uint256) {
        return uint256(_book.idleUsdcUnits) + _book.lentUsdcUnits;
    }

    /// @dev ERC-4626: what 64 bits still hold.
    function maxDeposit(address) public view override returns (uint256) {
        return uint256(type(uint64).max / 2).subtractOrZero(totalAssets());
    }

    /// @dev ERC-4626: maxDeposit in shares.
    function maxMint(address receiver) public view override returns (uint256) {
        return _convertToShares(maxDeposit(receiver), Math.Rounding.Floor);
    }

    /// @dev ERC-4626: what the owner's matured request may take now.
    function maxWithdraw(address owner) public view override returns (uint256) {
        return _convertToAssets(_usableShares(owner), Math.Rounding.Floor).min(_book.idleUsdcUnits);
    }

    /// @dev ERC-4626: what the owner's matured request may take now, limited by idle.
    function maxRedeem(address owner) public view override returns (uint256) {
        uint256 shares = _usableShares(owner);
        if (_convertToAssets(shares, Math.Rounding.Floor) <= _book.idleUsdcUnits) return shares;
        return _convertToShares(_book.idleUsdcUnits, Math.Rounding.Floor);
    }

    // ---------------------------------------------------------------- internal

    /// @dev USDC in, shares out.
    function _deposit(
        address caller,
        address receiver,
        uint256 assets,
        uint256 shares
    ) internal override nonReentrant {
        _book.idleUsdcUnits = (_book.idleUsdcUnits + assets).toUint64();
        super._deposit(caller, receiver, assets, shares);
        _assertCovered();
    }

    /// @dev Escrowed shares out of existence, USDC out of idle.
    function _withdraw(
        address caller,
        address receiver,
        address owner,
        uint256 assets,
        uint256 shares
    ) internal override nonReentrant {
        if (caller != owner) _spendAllowance(owner, caller, shares);
        _redeemRequests[owner].shares -= shares.toUint128();
        requestedShares -= shares;
        _book.idleUsdcUnits -= assets.toUint64();
        _burn(address(this), shares);

        emit Withdraw(caller, receiver, owner, assets, shares);
        emit Redeemed(owner, receiver, shares, assets);
        IERC20(asset()).safeTransfer(receiver, assets);
        _assertCovered();
    }

    /// @dev Six more decimals in shares make inflating the first share price pointless.
    function _decimalsOffset() internal pure override returns (uint8) {
        return 6;
    }

    function _usableShares(address owner) private view returns (uint256) {
        RedeemRequest storage request = _redeemRequests[owner];
        if (block.timestamp < request.maturesAt || block.timestamp > request.lapsesAt) return 0;
        return request.shares;
    }

    function _outcomeCap(OutcomeLoan storage loan) private view returns (uint256) {
        return loan.hasCap ? loan.capUsdcUnits : _parameters.defaultOutcomeCapUsdcUnits;
    }

    function _figures() private view returns (PoolBook.Figures memory figures) {
        Book memory stored = _book;
        return
            PoolBook.Figures({
                idle: stored.idleUsdcUnits,
                lent: stored.lentUsdcUnits,
                reserve: stored.reserveUsdcUnits,
                treasuryOwed: stored.treasuryOwedUsdcUnits
            });
    }

    function _store(PoolBook.Figures memory figures) private {
        _book = Book({
            idleUsdcUnits: figures.idle.toUint64(),
            lentUsdcUnits: figures.lent.toUint64(),
            reserveUsdcUnits: figures.reserve.toUint64(),
            treasuryOwedUsdcUnits: figures.treasuryOwed.toUint64()
        });
    }

    function _bookedUsdcUnits() private view returns (uint256) {
        Book memory stored = _book;
        return uint256(stored.idleUsdcUnits) + stored.reserveUsdcUnits + stored.treasuryOwedUsdcUnits;
    }

    /// @dev After every booking: the USDC that is here covers what the book says is here.
    function _assertCovered() private view {
        uint256 balance = IERC20(asset()).balanceOf(address(this));
        uint256 booked = _bookedUsdcUnits();
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
