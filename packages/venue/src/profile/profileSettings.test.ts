import { readEnvironment } from '@core/runtime';
import { expect, test } from 'vitest';
import { selectedVenueOf, venueSettings } from './profileSettings.ts';
import { realVenueProfile, simulatorProfile } from './venueProfile.ts';

const selected = (environment: Readonly<Record<string, string>>) =>
  selectedVenueOf(readEnvironment({ program: 'test', settings: venueSettings, ownPrefixes: [] }, environment));

test('without a name the venue is the simulator behind one origin', () => {
  expect(selected({ VENUE_URL: 'http://127.0.0.1:8090/' })).toEqual({
    profile: simulatorProfile,
    reference: { kind: 'http', url: 'http://127.0.0.1:8090' },
    restarts: [],
    hosts: {
      url: 'http://127.0.0.1:8090',
      catalogueUrl: 'http://127.0.0.1:8090',
      dataUrl: 'http://127.0.0.1:8090',
      relayerUrl: 'http://127.0.0.1:8090',
      marketSocketUrl: 'ws://127.0.0.1:8090/ws/market',
      userSocketUrl: 'ws://127.0.0.1:8090/ws/user',
    },
  });
});

test('the simulator without an origin is refused', () => {
  expect(() => selected({})).toThrow('VENUE_URL is missing');
});

test('the real venue brings its four hosts and two sockets', () => {
  const { profile, hosts } = selected({ VENUE_PROFILE: 'real' });
  expect(profile).toBe(realVenueProfile);
  expect(hosts).toEqual(realVenueProfile.hosts);
  expect(new Set([hosts.url, hosts.catalogueUrl, hosts.dataUrl, hosts.relayerUrl]).size).toBe(4);
});

test('a simulator may serve under the real profile, and single hosts may be replaced', () => {
  const { profile, hosts } = selected({
    VENUE_PROFILE: 'real',
    VENUE_URL: 'https://venue.example',
    VENUE_DATA_URL: 'https://data.example/',
    VENUE_RELAYER_URL: 'https://relayer.example/',
    VENUE_MARKET_SOCKET_URL: 'wss://sockets.example/ws/market',
  });
  expect(profile).toBe(realVenueProfile);
  expect(hosts).toEqual({
    url: 'https://venue.example',
    catalogueUrl: 'https://venue.example',
    dataUrl: 'https://data.example',
    relayerUrl: 'https://relayer.example',
    marketSocketUrl: 'wss://sockets.example/ws/market',
    userSocketUrl: 'wss://sockets.example/ws/user',
  });
});

test('reference feeds are the sockets of the real profile, of its simulator, or one HTTP origin', () => {
  const sockets = realVenueProfile.referenceSockets;
  expect(selected({ VENUE_PROFILE: 'real' }).reference).toEqual({ kind: 'sockets', sockets });
  expect(
    selected({
      VENUE_PROFILE: 'real',
      VENUE_URL: 'http://127.0.0.1:8090/',
      REFERENCE_KRAKEN_URL: 'wss://prices.example/v2',
    }).reference,
  ).toEqual({
    kind: 'sockets',
    sockets: {
      liveData: 'ws://127.0.0.1:8090/ws/live-data',
      sports: 'ws://127.0.0.1:8090/ws/sports',
      coinbase: 'ws://127.0.0.1:8090/ws/coinbase',
      kraken: 'wss://prices.example/v2',
    },
  });
  const reference = { kind: 'http', url: 'https://prices.example' };
  expect(selected({ VENUE_PROFILE: 'real', REFERENCE_URL: 'https://prices.example/' }).reference).toEqual(reference);
});

test('planned restarts are those of the profile, or of the setting', () => {
  expect(selected({ VENUE_PROFILE: 'real' }).restarts).toBe(realVenueProfile.restarts);
  expect(selected({ VENUE_PROFILE: 'real', VENUE_RESTARTS: ',' }).restarts).toEqual([]);
  expect(selected({ VENUE_PROFILE: 'real', VENUE_RESTARTS: 'Sun 09:30 UTC, 2026-12-01T12:00:00Z' }).restarts).toEqual([
    { kind: 'weekly', weekday: 0, minute: 570, timeZone: 'UTC' },
    { kind: 'once', atMs: Date.UTC(2026, 11, 1, 12) },
  ]);
  expect(() => selected({ VENUE_PROFILE: 'real', VENUE_RESTARTS: 'soon' })).toThrow('VENUE_RESTARTS must be a list');
});
