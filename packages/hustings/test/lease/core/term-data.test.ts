import { describe, expect, it } from 'vitest';
import { metadataOf, metadataText } from '../../../src/lease/core/term-data.ts';

describe('the text of metadata in a store', () => {
  it('belongs to the term that wrote it, also if an earlier version granted the next one and left the text', () => {
    const text = metadataText('a.1', { address: 'a:80' });
    expect(metadataOf('a.1', text)).toEqual({ address: 'a:80' });
    expect(metadataOf('a.2', text)).toBeNull();
    expect(metadataOf(undefined, text)).toBeNull();
    expect(metadataOf('a.1', null)).toBeNull();
    expect(metadataText('a.1', undefined)).toBeNull();
  });
});
