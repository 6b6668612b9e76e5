// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ILiquidityPool
/// @notice ERC-4626 over USDC with an internal book. Assets are `idle + lent`; reserve and treasuryOwed stand beside
/// them. USDC sent here without a call changes nothing. Shares leave only through a matured redeem request.
/// @dev Assumptions. Safety: USDC has 6 decimals, no transfer fee and no hooks. Liveness: the pool itself is not on
/// USDC's blacklist.
/// Units: USDC units (1e6 = 1 USD), share units (1e12 = 1 share, which starts at 1 USD), bps (1e4 = 1), Unix seconds.
/// Errors of others. Every call that moves USDC or escrowed shares stands under one lock and reverts with
/// ReentrancyGuardReentrantCall inside another. The owner's calls revert with OwnableUnauthorizedAccount for anybody
/// else. What USDC refuses passes through as its own error, or as SafeERC20FailedOperation. A sum that its field cannot
/// hold reverts with SafeCastOverflowedUintDowncast or Panic(0x11).
interface ILiquidityPool {
    /// @notice The internal book, all in USDC units.
    struct Book {
        /// Providers' USDC that is here.
        uint64 idleUsdcUnits;
        /// Providers' USDC that positions have borrowed and not repaid; written-off loans are not in it.
        uint64 lentUsdcUnits;
        /// USDC that takes losses before the share price does.
        uint64 reserveUsdcUnits;
        /// USDC that waits here for payTreasury.
        uint64 treasuryOwedUsdcUnits;
    }

    /// @notice What the vault books for one position after its USDC has arrived, all in USDC units; badDebt brings no
    /// USDC.
    struct Booking {
        /// Loan repaid: from lent to idle.
        uint256 principalUsdcUnits;
        /// Lifetime fees paid: the floor of protocolCutBps of them to the treasury, the rest to idle.
        uint256 lifetimeFeeUsdcUnits;
        /// Liquidation fee paid: to the reserve up to its target, the rest to idle.
        uint256 liquidationFeeUsdcUnits;
        /// Origination fee kept: the ceil of originationReserveBps of it to the reserve up to its target, the rest to
        /// the treasury.
        uint256 originationFeeUsdcUnits;
        /// Earlier bad debt repaid: to the reserve, whatever its target.
        uint256 recoveredUsdcUnits;
        /// Loan lost: out of lent, made good from the reserve as far as that reaches; the share price bears the rest.
        uint256 badDebtUsdcUnits;
    }

    /// @notice What one outcome has borrowed, and its own cap when it has one.
    struct OutcomeLoan {
        /// Borrowed and not repaid, in USDC units.
        uint64 lentUsdcUnits;
        /// Its own cap in USDC units; 0 without one.
        uint64 capUsdcUnits;
        /// Whether its own cap stands in place of the default one.
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

    /// @notice A provider's escrowed shares. They may leave from maturesAt until lapsesAt, at the price of that moment.
    struct RedeemRequest {
        /// Shares in escrow, in share units.
        uint128 shares;
        /// The first moment they may leave, in Unix seconds.
        uint40 maturesAt;
        /// The last moment they may leave, in Unix seconds; afterwards anyone may give them back to their owner.
        uint40 lapsesAt;
    }

    /// @notice A position's account received its loan.
    /// @param positionKey the position that borrows
    /// @param outcomeId the outcome whose cap counts the loan
    /// @param account the account that received it
    /// @param usdcUnits the loan in USDC units
    event Lent(bytes32 indexed positionKey, uint32 indexed outcomeId, address account, uint256 usdcUnits);

    /// @notice What a position repaid, paid and lost stands in the book.
    /// @param positionKey the position it came from
    /// @param outcomeId the outcome whose loans fell by principal and bad debt
    /// @param booking the figures in USDC units
    event Booked(bytes32 indexed positionKey, uint32 indexed outcomeId, Booking booking);

    /// @notice A provider put shares into escrow, and the time of all he has there started again.
    /// @param owner the provider
    /// @param shares shares added, in share units
    /// @param totalShares all his shares in escrow, in share units
    /// @param maturesAt the first moment they may leave, in Unix seconds
    event RedeemRequested(address indexed owner, uint256 shares, uint256 totalShares, uint256 maturesAt);

    /// @notice Escrowed shares went back to their owner.
    /// @param owner the provider
    /// @param shares shares given back, in share units
    event RedeemCancelled(address indexed owner, uint256 shares);

    /// @notice Matured shares left for USDC; stands beside ERC-4626's Withdraw.
    /// @param owner the provider whose escrow they left
    /// @param receiver who received the USDC
    /// @param shares shares burned, in share units
    /// @param usdcUnits USDC paid, in USDC units
    event Redeemed(address indexed owner, address indexed receiver, uint256 shares, uint256 usdcUnits);

    /// @notice Somebody gave USDC to the reserve.
    /// @param from who paid
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

    /// @notice The caller is not the vault. Nobody else may borrow or book.
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

    /// @notice The call names 0 shares. Name at least one unit.
    error NoShares();

    /// @notice Somebody else's request has not lapsed. Wait until its lapsesAt has passed.
    error RequestStillUsable();

    /// @notice More shares are to come back than are in escrow. Ask for at most what is there.
    /// @param shares the shares asked for, in share units
    /// @param requestedShares the owner's shares in escrow, in share units
    error RequestTooSmall(uint256 shares, uint256 requestedShares);

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

    /// @notice Escrows shares. They mature after 24 h; asking again adds to the escrow and starts the time again.
    /// @dev Escrowed shares earn and lose until they leave: the price is that of the moment they do. Matured ones leave
    /// through ERC-4626's redeem and withdraw for 24 h, as far as idle reaches.
    /// Reverts: NoShares; ERC20InsufficientBalance when the caller holds fewer.
    /// @param shares shares to escrow, in share units
    function requestRedeem(uint256 shares) external;

    /// @notice Takes escrowed shares back to their owner: by the owner at any time, by anyone once they have lapsed.
    /// @dev Reverts: NoShares; RequestStillUsable; RequestTooSmall.
    /// @param owner the provider whose shares they are
    /// @param shares shares to give back, in share units
    function cancelRedeem(address owner, uint256 shares) external;

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
    /// @return poolBook its four figures in USDC units
    function bookOf() external view returns (Book memory poolBook);

    /// @notice The parameters.
    /// @return poolParameters as the owner set them last
    function parametersOf() external view returns (Parameters memory poolParameters);

    /// @notice What an outcome has borrowed and its cap in force.
    /// @param outcomeId the outcome
    /// @return lentUsdcUnits borrowed and not repaid, in USDC units
    /// @return capUsdcUnits its own cap, or the default one, in USDC units
    function outcomeLoanOf(
        uint32 outcomeId
    ) external view returns (uint256 lentUsdcUnits, uint256 capUsdcUnits);

    /// @notice A provider's escrow.
    /// @param owner the provider
    /// @return request his shares in escrow and their times; all zero when he never asked
    function redeemRequestOf(address owner) external view returns (RedeemRequest memory request);

    /// @notice Shares in escrow of all providers.
    /// @return shares in share units
    function requestedShares() external view returns (uint256 shares);

    /// @notice What could be lent now before outcome caps:
    /// min(idle − assets of requested withdrawals, total cap − lent, utilisation × assets − lent), floored at 0.
    /// @dev Requests count from the moment they are made until they leave or are cancelled, lapsed ones too.
    /// @return usdcUnits in USDC units: the requested assets are rounded up, the utilisation down
    function freeLiquidity() external view returns (uint256 usdcUnits);

    /// @notice The pool's USDC balance beside what the book says it holds (idle + reserve + treasuryOwed).
    /// @return balanceUsdcUnits the balance in USDC units; never below the book while the assumptions hold
    /// @return bookedUsdcUnits the book's figure in USDC units
    function solvency() external view returns (uint256 balanceUsdcUnits, uint256 bookedUsdcUnits);
}
