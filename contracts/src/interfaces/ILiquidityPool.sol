// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ILiquidityPool
/// @notice ERC-4626 over USDC with an internal book. The redemption price counts `idle + lent − unreleased` and what
/// the reserve would bear of `impaired` (totalAssets); the deposit price counts all of `impaired`. Reserve and
/// treasuryOwed are separate. USDC sent here without a call changes nothing. Shares leave only through redeem, 24 h
/// after a request that cannot be taken back.
/// @dev Assumptions.
/// Safety: USDC has 6 decimals, no transfer fee and no hooks.
/// Liveness: the pool itself is not on USDC's blacklist.
/// Units: USDC units (1e6 = 1 USD), share units (1e12 = 1 share, which starts at 1 USD), bps (1e4 = 1), Unix seconds.
/// Errors of others. Every call that moves USDC or escrowed shares stands under one lock and reverts with
/// ReentrancyGuardReentrantCall inside another. The owner's calls revert with OwnableUnauthorizedAccount for any
/// other caller. What USDC refuses passes through as its own error, or as SafeERC20FailedOperation. A sum that its
/// field cannot hold reverts with SafeCastOverflowedUintDowncast or Panic(0x11).
interface ILiquidityPool {
    /// @notice The internal book, all in USDC units.
    struct Book {
        /// Providers' USDC that is here, released to the share price or not.
        uint64 idleUsdcUnits;
        /// Providers' USDC that positions have borrowed and not repaid, without what is impaired.
        uint64 lentUsdcUnits;
        /// Borrowed and not repaid by positions whose loan is impaired. The redemption price counts the part that the
        /// reserve would bear, the deposit price all of it.
        uint64 impairedUsdcUnits;
        /// Income, part of idle, that belongs to no share yet; rounded up.
        uint64 unreleasedUsdcUnits;
        /// USDC that takes losses before the share price does.
        uint64 reserveUsdcUnits;
        /// USDC that waits here for payTreasury.
        uint64 treasuryOwedUsdcUnits;
    }

    /// @notice Amounts that the vault books for one position after its USDC has arrived, in USDC units; badDebt brings
    /// no USDC.
    struct Booking {
        /// Loan repaid: from lent, or impaired, to idle.
        uint256 principalUsdcUnits;
        /// Lifetime fees paid: the floor of protocolCutBps of them to the treasury, the rest is income.
        uint256 lifetimeFeeUsdcUnits;
        /// Liquidation fee paid: to the reserve up to its target, the rest is income.
        uint256 liquidationFeeUsdcUnits;
        /// Origination fee kept: the ceil of originationReserveBps of it to the reserve up to its target, the rest to
        /// the treasury.
        uint256 originationFeeUsdcUnits;
        /// Earlier bad debt repaid: to the reserve up to its target, the rest is income.
        uint256 recoveredUsdcUnits;
        /// Loan lost: out of lent, or impaired, made good from the reserve as far as that reaches; the share price
        /// bears the rest.
        uint256 badDebtUsdcUnits;
    }

    /// @notice Loans of one outcome, and its own cap when it has one.
    struct OutcomeLoan {
        /// Borrowed and not repaid, impaired or not, in USDC units.
        uint64 loanUsdcUnits;
        /// Its own cap in USDC units; 0 without one.
        uint64 capUsdcUnits;
        /// Impaired part of the loans, in USDC units.
        uint64 impairedUsdcUnits;
        /// True when its own cap replaces the default one.
        bool hasCap;
    }

    /// @notice Everything the owner may set.
    struct Parameters {
        /// The most all positions together may borrow, in USDC units.
        uint64 totalCapUsdcUnits;
        /// The most one outcome without its own cap may borrow, in USDC units.
        uint64 defaultOutcomeCapUsdcUnits;
        /// The share of the assets that may be lent, in bps; at most 10,000.
        uint16 utilisationBps;
        /// The treasury's share of lifetime fees, in bps; at most 5,000.
        uint16 protocolCutBps;
        /// The reserve's share of origination fees until its target is reached, in bps; 5,000 to 10,000.
        uint16 originationReserveBps;
        /// Up to which share of the assets fees fill the reserve, in bps; at most 5,000.
        uint16 reserveTargetBps;
    }

    /// @notice A provider's escrowed shares. From maturesAt on they may leave, each for the lower of its part of the
    /// cap and its worth at that moment.
    struct RedeemRequest {
        /// Shares in escrow, in share units.
        uint256 shares;
        /// Maximum they bring, in USDC units: their worth when they were asked for, lowered by every later loss.
        uint64 capUsdcUnits;
        /// The first moment they may leave, in Unix seconds.
        uint40 maturesAt;
    }

    /// @notice A position's account received its loan.
    /// @param positionKey the position that borrows
    /// @param outcomeId the outcome whose cap counts the loan
    /// @param account the account that received it
    /// @param usdcUnits the loan in USDC units
    event Lent(bytes32 indexed positionKey, uint32 indexed outcomeId, address account, uint256 usdcUnits);

    /// @notice A position repaid, paid or lost money, and the book shows it.
    /// @param positionKey the position it came from
    /// @param outcomeId the outcome whose loans fell by principal and bad debt
    /// @param booking the figures in USDC units
    event Booked(bytes32 indexed positionKey, uint32 indexed outcomeId, Booking booking);

    /// @notice A position's loan was impaired, or no longer is. Booked lowers the figure as the loan is repaid or lost.
    /// @param positionKey the position
    /// @param outcomeId the outcome whose loans it is part of
    /// @param usdcUnits its impaired loan from now on, in USDC units; 0 when it was cleared
    event Impaired(bytes32 indexed positionKey, uint32 indexed outcomeId, uint256 usdcUnits);

    /// @notice A provider put shares into escrow, and the delay of all its shares there started again.
    /// @param owner the provider
    /// @param shares shares added, in share units
    /// @param capUsdcUnits what they were worth, and bring at most, in USDC units
    /// @param maturesAt the first moment they may leave, in Unix seconds
    event RedeemRequested(address indexed owner, uint256 shares, uint256 capUsdcUnits, uint256 maturesAt);

    /// @notice Bounds of a provider's whole request after asking; stands beside RedeemRequested.
    /// @dev The cap is the lower of capUsdcUnits and scaledUnits × lossFactor / 1e26. Shares asked for earlier enter
    /// with the lower of their cap and their worth. Redeemed lowers both bounds in proportion to the shares.
    /// @param owner the provider
    /// @param capUsdcUnits worth of all its shares at their askings, in USDC units
    /// @param scaledUnits their price of entry in USDC units × 1e26 / lossFactor, each at its asking
    event RedeemCapped(address indexed owner, uint256 capUsdcUnits, uint256 scaledUnits);

    /// @notice The factor of all caps has changed.
    /// @dev A loss that passes the reserve lowers it in proportion. Shares that leave while a loan is impaired raise
    /// it: the price of entry of the remaining shares rises by what those were not paid.
    /// @param lossFactor the factor, × 1e26; 1e26 at first
    event LossFactorChanged(uint256 lossFactor);

    /// @notice Matured shares left for USDC; stands beside ERC-4626's Withdraw.
    /// @param owner the provider whose escrow they left
    /// @param receiver who received the USDC
    /// @param shares shares burned, in share units
    /// @param usdcUnits USDC paid, in USDC units
    /// @param leftUsdcUnits what they were worth beyond their part of the cap, in USDC units: income of the others
    event Redeemed(
        address indexed owner,
        address indexed receiver,
        uint256 shares,
        uint256 usdcUnits,
        uint256 leftUsdcUnits
    );

    /// @notice USDC was given to the reserve.
    /// @param from who paid; the pool itself when no share was left to own what was idle
    /// @param usdcUnits USDC given, in USDC units
    event ReserveFunded(address indexed from, uint256 usdcUnits);

    /// @notice The treasury was sent what it was owed.
    /// @param treasury who received it
    /// @param usdcUnits USDC sent, in USDC units; 0 when nothing was owed
    event TreasuryPaid(address indexed treasury, uint256 usdcUnits);

    /// @notice The treasury was set, at deployment or by the owner.
    /// @param treasury who receives from now on, also what was owed before
    event TreasuryChanged(address indexed treasury);

    /// @notice The parameters were set, at deployment or by the owner.
    /// @param parameters all of them, as they stand now
    event ParametersChanged(Parameters parameters);

    /// @notice An outcome was given its own cap, or returned to the default one.
    /// @param outcomeId the outcome
    /// @param hasCap whether it has its own cap now
    /// @param capUsdcUnits that cap in USDC units; 0 without one
    event OutcomeCapChanged(uint32 indexed outcomeId, bool hasCap, uint256 capUsdcUnits);

    /// @notice The caller is not the vault. Only the vault borrows and books.
    error OnlyVault();

    /// @notice The treasury would be the zero address. Name one that can receive USDC.
    error ZeroAddress();

    /// @notice The loan is more than the pool may lend now. Ask for less, or wait for repayments and deposits.
    /// @param requestedUsdcUnits the loan asked for, in USDC units
    /// @param freeUsdcUnits what freeLiquidity allows, in USDC units
    error LiquidityExceeded(uint256 requestedUsdcUnits, uint256 freeUsdcUnits);

    /// @notice The loan passes the cap of its outcome. Ask for less, or wait until positions in it repay.
    /// @param outcomeId the outcome
    /// @param requestedUsdcUnits the loan asked for, in USDC units
    /// @param freeUsdcUnits what its cap leaves, in USDC units
    error OutcomeCapExceeded(uint32 outcomeId, uint256 requestedUsdcUnits, uint256 freeUsdcUnits);

    /// @notice A parameter lies outside the bounds that its field of Parameters names. Choose one inside.
    error ParameterOutOfRange();

    /// @notice The call names 0 shares, or deposits less than the smallest unit of a share costs. Name at least one
    /// unit, or deposit what previewMint says of one.
    error NoShares();

    /// @notice The shares are worth less than the caller accepts. Ask again with what they are worth, or later.
    /// @param usdcUnits what they are worth now, in USDC units
    /// @param minUsdcUnits the least the caller accepts, in USDC units
    error WorthBelowMinimum(uint256 usdcUnits, uint256 minUsdcUnits);

    /// @notice The book would say more USDC is here than is: a broken assumption, such as a USDC that takes a fee.
    /// Nothing was changed; do not try again before the cause is known.
    /// @param balanceUsdcUnits the pool's balance in USDC units
    /// @param bookedUsdcUnits what the book says is here, in USDC units
    error BookNotCovered(uint256 balanceUsdcUnits, uint256 bookedUsdcUnits);

    /// @notice Lends to a position's account, within every cap. Vault only.
    /// @dev Reverts: OnlyVault; LiquidityExceeded; OutcomeCapExceeded; BookNotCovered.
    /// @param positionKey the position that borrows
    /// @param outcomeId the outcome whose cap counts the loan
    /// @param account the account that receives it
    /// @param usdcUnits the loan in USDC units
    function lend(bytes32 positionKey, uint32 outcomeId, address account, uint256 usdcUnits) external;

    /// @notice Books what a position repaid, paid and lost, after its USDC has arrived. Vault only.
    /// @dev Fractions go to providers and reserve, not to the treasury. Reverts: OnlyVault; BookNotCovered;
    /// Panic(0x11) when more is repaid and lost than was lent.
    /// @param positionKey the position it comes from
    /// @param outcomeId the outcome whose loans fall by principal and bad debt
    /// @param booking the figures in USDC units
    function book(bytes32 positionKey, uint32 outcomeId, Booking calldata booking) external;

    /// @notice Marks a position's loan as impaired, or clears the mark. Vault only.
    /// @dev Only the redemption price changes. What is repaid or lost later leaves the impaired figure by
    /// itself. Reverts: OnlyVault.
    /// @param positionKey the position
    /// @param outcomeId the outcome whose loans it is part of
    /// @param usdcUnits its principal in USDC units; 0 clears
    function impair(bytes32 positionKey, uint32 outcomeId, uint256 usdcUnits) external;

    /// @notice Decides to leave: escrows shares, notes what they are worth as the most they will bring, and starts
    /// 24 h.
    /// @dev It cannot be taken back and does not lapse: from now on they bear losses and earn nothing. A loss that
    /// passes the reserve lowers the cap in proportion. Asking again first lowers the old cap to the lower of itself
    /// and the worth of its shares; then it adds shares and cap and starts the time of all of them again.
    /// Reverts: NoShares; WorthBelowMinimum; ERC20InsufficientBalance when the caller holds fewer.
    /// @param shares shares to escrow, in share units
    /// @param minUsdcUnits the least worth the caller accepts as their cap, in USDC units
    /// @return capUsdcUnits what they are worth now, in USDC units, floor
    function requestRedeem(uint256 shares, uint256 minUsdcUnits) external returns (uint256 capUsdcUnits);

    /// @notice ERC-4626: burns escrowed shares of a matured request and pays for them, as far as idle reaches.
    /// @dev Each brings the lower of its part of the cap and its worth (previewRedeem, which knows no owner and so no
    /// cap). Worth beyond the cap is income of the others. By the owner, by a spender of the owner's allowance, or by
    /// anyone who redeems the whole request to its owner while it brings its whole cap, the most it ever can.
    /// Reverts: NoShares; ERC4626ExceededMaxRedeem; ERC20InsufficientAllowance; BookNotCovered.
    /// @param shares shares to burn, in share units; at most maxRedeem
    /// @param receiver who receives the USDC
    /// @param owner the provider whose request it is
    /// @return usdcUnits USDC paid, in USDC units, floor
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 usdcUnits);

    /// @notice Adds the caller's USDC to the reserve, which takes losses before the share price does.
    /// @dev The pool needs the caller's allowance. What is given never comes back. Reverts: BookNotCovered.
    /// @param usdcUnits USDC to give, in USDC units
    function fundReserve(uint256 usdcUnits) external;

    /// @notice Sends the treasury what it is owed; open to all.
    /// @dev Pulled, so that a treasury that cannot receive blocks nothing else. Reverts: BookNotCovered.
    /// @return usdcUnits USDC sent, in USDC units; 0 when nothing was owed
    function payTreasury() external returns (uint256 usdcUnits);

    /// @notice Sets the treasury. Owner only.
    /// @dev Reverts: OwnableUnauthorizedAccount; ZeroAddress.
    /// @param treasury who receives from now on, also what is owed already
    function setTreasury(address treasury) external;

    /// @notice Sets the parameters, inside the constants' bounds. Owner only.
    /// @dev They bind what is lent and booked from now on; loans above a lowered cap stay.
    /// Reverts: OwnableUnauthorizedAccount; ParameterOutOfRange.
    /// @param parameters all of them; each field names its bounds
    function setParameters(Parameters calldata parameters) external;

    /// @notice Gives an outcome its own cap (0 stops lending to it), or returns it to the default one. Owner only.
    /// @dev Reverts: OwnableUnauthorizedAccount.
    /// @param outcomeId the outcome; it need not be registered yet
    /// @param hasCap whether it has its own cap from now on
    /// @param capUsdcUnits that cap in USDC units; ignored without one
    function setOutcomeCap(uint32 outcomeId, bool hasCap, uint64 capUsdcUnits) external;

    /// @notice The one vault this pool lends to.
    /// @return vaultAddress the vault, fixed for ever
    function vault() external view returns (address vaultAddress);

    /// @notice Receiver of the treasury's share.
    /// @return treasuryAddress who payTreasury sends to
    function treasury() external view returns (address treasuryAddress);

    /// @notice The internal book.
    /// @return poolBook its figures in USDC units, as they are at this block's time
    function bookOf() external view returns (Book memory poolBook);

    /// @notice The parameters.
    /// @return poolParameters as the owner set them last
    function parametersOf() external view returns (Parameters memory poolParameters);

    /// @notice Loans of an outcome and its cap in force.
    /// @param outcomeId the outcome
    /// @return loanUsdcUnits borrowed and not repaid, impaired or not, in USDC units
    /// @return capUsdcUnits its own cap, or the default one, in USDC units
    function outcomeLoanOf(
        uint32 outcomeId
    ) external view returns (uint256 loanUsdcUnits, uint256 capUsdcUnits);

    /// @notice The impaired loan of a position.
    /// @param positionKey the position
    /// @return usdcUnits in USDC units: its whole principal, or 0 when it is not impaired
    function impairedOf(bytes32 positionKey) external view returns (uint256 usdcUnits);

    /// @notice A provider's escrow.
    /// @param owner the provider
    /// @return request the provider's shares in escrow, their cap and their time
    function redeemRequestOf(address owner) external view returns (RedeemRequest memory request);

    /// @notice Shares in escrow of all providers.
    /// @return shares in share units
    function requestedShares() external view returns (uint256 shares);

    /// @notice Available to lend before outcome caps: min(idle − caps of requests, total cap − loans,
    /// utilisation × (idle + loans) − loans), floored at 0; loans are lent and impaired ones.
    /// @dev Requests count from the moment they are made until they leave, at their caps: an impaired loan lowers what
    /// they bring now, and not what is kept for them.
    /// @return usdcUnits in USDC units: the caps of requests are rounded up, the utilisation down
    function freeLiquidity() external view returns (uint256 usdcUnits);

    /// @notice The pool's USDC balance beside what the book says it holds (idle + reserve + treasuryOwed).
    /// @return balanceUsdcUnits the balance in USDC units; never below the book while the assumptions hold
    /// @return bookedUsdcUnits the book's figure in USDC units
    function solvency() external view returns (uint256 balanceUsdcUnits, uint256 bookedUsdcUnits);
}
