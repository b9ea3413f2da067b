# Built with the whole toolchain, shipped without any of it: the final image holds glibc and one program.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /build
COPY . .
RUN cargo build --profile dist --locked --bin puzzled && mkdir /empty

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /build/target/dist/puzzled /usr/local/bin/puzzled
# 65532 is this image's own user; it has to own the folder before a volume is mounted there.
COPY --from=build --chown=65532:65532 /empty /var/lib/puzzled
ENV PUZZLED_LISTEN=0.0.0.0:50051 \
    PUZZLED_DATABASE_URL=sqlite:/var/lib/puzzled/puzzled.db
USER 65532:65532
VOLUME /var/lib/puzzled
EXPOSE 50051
# It asks the ops port if PUZZLED_OPS_LISTEN is set, otherwise the API where PUZZLED_LISTEN says.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["puzzled", "health"]
ENTRYPOINT ["puzzled"]
CMD ["serve"]
