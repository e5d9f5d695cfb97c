//! How much memory is free.

/// Memory that could be allocated now, in MiB, where the system says so.
pub(crate) fn available_mib() -> Option<u64> {
    parse(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn parse(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_linux_writes() {
        assert_eq!(parse("MemTotal:  100 kB\nMemAvailable:   24331060 kB\nBuffers: 1 kB\n"), Some(23_760));
        assert_eq!(parse("MemTotal:  100 kB\n"), None);
        assert_eq!(parse("MemAvailable: many\n"), None);
    }
}
