import type { EventData, Gateway, GatewayEvents, ResyncReason } from '../generated/events.ts';
import type { Position } from '../generated/resources.ts';

/** An event of the service. */
export type ServiceEvent<G extends Gateway> = {
  readonly [Type in GatewayEvents[G]]: {
    readonly type: Type;
    /** Resumes the stream after this event, also in another process. */
    readonly id: string;
    readonly created_at: string;
    readonly data: EventData[Type];
  };
}[GatewayEvents[G]];

/** The unfinished positions as they are now: at the start of a stream, and after a gap. */
export interface SnapshotEvent {
  readonly type: 'snapshot';
  readonly positions: readonly Position[];
}

/** Events may have been missed: what is known has to be read anew. Where there are snapshots one follows. */
export interface GapEvent {
  readonly type: 'gap';
  readonly reason: ResyncReason | 'nothing_to_resume_from';
}

/** What a stream of a gateway yields. */
export type StreamEvent<G extends Gateway> = ServiceEvent<G> | GapEvent | (G extends 'markets' ? never : SnapshotEvent);

/** Frames as the service sends them, as far as a client acts on them. */
export type Frame =
  | { readonly frame: 'connected'; readonly last_event_id?: string | null }
  | {
      readonly frame: 'snapshot';
      readonly positions: readonly Position[];
      readonly last_event_id: string | null;
      readonly has_more: boolean;
    }
  | ({ readonly frame: 'event'; readonly seq: number } & ServiceEvent<Gateway>)
  | { readonly frame: 'resync_required'; readonly reason: ResyncReason }
  | { readonly frame: 'token_expiring' }
  | { readonly frame: 'restarting'; readonly retry_after_ms: number }
  | { readonly frame: 'authenticated' | 'pong' | 'error' };
