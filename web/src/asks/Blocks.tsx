import { fileUrl } from "../api/client";
import type { Block as BlockMessage } from "../contract";
import { Block } from "../content/Block";

/** What the agent shows, piece by piece. */
export function Blocks({ blocks }: { readonly blocks: readonly BlockMessage[] | undefined }) {
  return <>{blocks?.map((block, place) => <Block key={place} block={block} fileUrl={fileUrl} />)}</>;
}
