import type { AnyAlgorithm } from '../../kernel/algorithm.ts';

/** What a message is for: it counts as part of the election, announces its result, or is upkeep. */
export type MessagePurpose = 'election' | 'announcement' | 'upkeep';

/** The purpose of a type of message, by the types that an algorithm declares. */
export function purposeOf(
  type: string,
  {
    announcements,
    upkeep = [],
  }: { readonly announcements: readonly string[]; readonly upkeep?: readonly string[] | undefined },
): MessagePurpose {
  return announcements.includes(type) ? 'announcement' : upkeep.includes(type) ? 'upkeep' : 'election';
}

/** The types of messages that an algorithm declares as announcement and as upkeep. */
export function purposesOf({ messages }: AnyAlgorithm): { announcements: string[]; upkeep: string[] } {
  const typesThat = (purpose: 'announces' | 'upkeep') =>
    Object.keys(messages).filter((type) => messages[type][purpose]);
  return { announcements: typesThat('announces'), upkeep: typesThat('upkeep') };
}
