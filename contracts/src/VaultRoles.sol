// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "./interfaces/IVault.sol";
import {NonRenounceableOwnable2Step} from "./NonRenounceableOwnable2Step.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {ALARM_PAUSE, ALARM_TIME, MIN_PRICE_THRESHOLD} from "./VaultConstants.sol";

/// @title VaultRoles
/// @notice Roles of the vault: owner, guardian, quote signer, and the sets of keepers, price signers, oracles and
/// builders. An address is at most one of keeper, price signer and quote signer.
abstract contract VaultRoles is IVault, NonRenounceableOwnable2Step {
    /// @inheritdoc IVault
    address public quoteSigner;
    /// @inheritdoc IVault
    bool public openingPaused;
    uint32 private _priceThreshold;
    uint40 private _alarmEndsAt;
    /// @inheritdoc IVault
    address public guardian;
    uint40 private _removalAt;
    mapping(Role role => mapping(address account => bool allowed)) internal _roles;
    mapping(bytes32 builder => bool allowed) internal _builders;
    mapping(Role role => uint256 members) private _members;

    modifier onlyKeeper() {
        if (!_roles[Role.Keeper][msg.sender]) revert NotKeeper();
        _;
    }

    // ---------------------------------------------------------------- owner and guardian

    /// @inheritdoc IVault
    function pauseOpening() external {
        _checkGuardian();
        openingPaused = true;
        emit OpeningPaused(true);
    }

    /// @inheritdoc IVault
    function resumeOpening() external onlyOwner {
        openingPaused = false;
        emit OpeningPaused(false);
    }

    /// @inheritdoc IVault
    function raiseAlarm() external {
        _checkGuardian();
        uint256 notBefore = _alarmEndsAt + ALARM_PAUSE;
        if (block.timestamp < notBefore) revert AlarmTooSoon(notBefore);
        _alarmEndsAt = uint40(block.timestamp + ALARM_TIME);
        emit AlarmRaised(_alarmEndsAt);
    }

    /// @inheritdoc IVault
    function setPriceThreshold(uint256 threshold) external onlyOwner {
        _setPriceThreshold(threshold);
    }

    /// @inheritdoc IVault
    function setQuoteSigner(address signer) external {
        if (msg.sender != guardian || signer != address(0)) _checkOwner();
        _setQuoteSigner(signer);
    }

    /// @inheritdoc IVault
    function setGuardian(address guardianAddress) external onlyOwner {
        _setGuardian(guardianAddress);
    }

    /// @inheritdoc IVault
    function setRole(Role role, address account, bool allowed) external {
        bool byGuardian = msg.sender == guardian && msg.sender != owner() && !allowed && role != Role.Oracle;
        if (!byGuardian) _checkOwner();
        bool wasMember = _roles[role][account];
        _setRole(role, account, allowed);
        if (!byGuardian) return;
        if (_members[role] == 0) revert LastOfRole(role);
        if (role == Role.PriceSigner && wasMember) _noteRemoval();
    }

    /// @inheritdoc IVault
    function setBuilder(bytes32 builder, bool allowed) external onlyOwner {
        _setBuilder(builder, allowed);
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc IVault
    function hasRole(Role role, address account) external view returns (bool allowed) {
        return _roles[role][account];
    }

    /// @inheritdoc IVault
    function priceThreshold() external view returns (uint256 threshold) {
        return _priceThreshold;
    }

    /// @inheritdoc IVault
    function priceSignerCount() public view returns (uint256 signers) {
        return _members[Role.PriceSigner];
    }

    /// @inheritdoc IVault
    function requiredSignatures() public view returns (uint256 signatures) {
        signatures = _priceThreshold;
        // One host that is down must not stop liquidations, nor a guardian who uses the moment.
        if (_isAlarmed()) signatures = UnitMath.max(signatures, priceSignerCount() - 1);
    }

    /// @inheritdoc IVault
    function alarmEndsAt() public view returns (uint256 endsAt) {
        return _alarmEndsAt;
    }

    /// @inheritdoc IVault
    function isBuilderAllowed(bytes32 builder) external view returns (bool allowed) {
        return builder == bytes32(0) || _builders[builder];
    }

    // ---------------------------------------------------------------- internal

    function _setQuoteSigner(address signer) internal {
        if (_roles[Role.Keeper][signer] || _roles[Role.PriceSigner][signer]) revert RolesNotSeparate(signer);
        quoteSigner = signer;
        emit QuoteSignerChanged(signer);
    }

    function _setGuardian(address guardianAddress) internal {
        guardian = guardianAddress;
        emit GuardianChanged(guardianAddress);
    }

    function _setRole(Role role, address account, bool allowed) internal {
        if (role == Role.None) revert RoleRequired();
        if (account == address(0)) revert ZeroAddress();
        if (allowed && role != Role.Oracle) {
            Role other = role == Role.Keeper ? Role.PriceSigner : Role.Keeper;
            if (account == quoteSigner || _roles[other][account]) revert RolesNotSeparate(account);
        }
        if (_roles[role][account] != allowed) _members[role] = allowed ? _members[role] + 1 : _members[role] - 1;
        if (role == Role.PriceSigner && _members[role] < _priceThreshold) {
            revert PriceThresholdOutOfRange(_priceThreshold, _members[role]);
        }
        _roles[role][account] = allowed;
        emit RoleChanged(role, account, allowed);
    }

    /// @dev Between the least consent there is and all of those who may give it.
    function _setPriceThreshold(uint256 threshold) internal {
        uint256 signers = priceSignerCount();
        if (threshold < MIN_PRICE_THRESHOLD || threshold > signers) revert PriceThresholdOutOfRange(threshold, signers);
        _priceThreshold = uint32(threshold);
        emit PriceThresholdChanged(threshold);
    }

    /// @dev Refuse a removal that leaves none to spare, until the owner has had time to appoint another: with one host
    /// down besides, liquidations would stop.
    function _noteRemoval() private {
        uint256 notBefore = _removalAt + ALARM_PAUSE;
        if (priceSignerCount() == _priceThreshold && block.timestamp < notBefore) revert RemovalTooSoon(notBefore);
        _removalAt = uint40(block.timestamp);
    }

    function _isAlarmed() internal view returns (bool) {
        return block.timestamp < _alarmEndsAt;
    }

    function _setBuilder(bytes32 builder, bool allowed) internal {
        _builders[builder] = allowed;
        emit BuilderChanged(builder, allowed);
    }

    function _checkGuardian() private view {
        if (msg.sender != guardian && msg.sender != owner()) revert NotGuardian();
    }
}
